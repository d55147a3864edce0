package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.operation.Append;
import org.lance.operation.Operation;
import org.lance.operation.Overwrite;

/**
 * Makes written fragments visible, all of them in one new version or none. Runs once per write, on
 * a handle of its own.
 */
public final class LanceCommit {
  /** Names the write in the version it made, so that a write that is tried again finds itself. */
  private static final String WRITE_ID = "millrace.write.id";

  // A commit that was made just before its answer was lost lies among the newest versions.
  private static final int LOOK_BACK_VERSIONS = 50;

  private final LanceRuntime runtime;
  private final BufferAllocator allocator;
  private final WriteTarget target;
  private final String writeId;

  /**
   * @param writeId names this write across its attempts
   */
  public LanceCommit(
      LanceRuntime runtime, BufferAllocator allocator, WriteTarget target, String writeId) {
    this.runtime = runtime;
    this.allocator = allocator;
    this.target = target;
    this.writeId = writeId;
  }

  /**
   * Makes a new table of the fragments.
   *
   * @return the version, 1
   * @throws MillraceException TABLE_EXISTS when there is a table already; it stays as it was
   */
  public long create(List<FragmentFile> fragments) {
    Optional<LanceDataset> existing = runtime.openIfExists(target.location(), allocator);
    if (existing.isPresent()) {
      try (LanceDataset table = existing.get()) {
        OptionalLong earlier = earlierCommit(table, 0);
        if (earlier.isPresent() && earlier.getAsLong() == 1) {
          return 1;
        }
        throw exists();
      }
    }
    try (Dataset committed = commit(0, overwrite(fragments))) {
      if (committed.version() == 1) {
        return 1;
      }
      // The library has no commit that insists on being the first: another writer made the table
      // between the look and the commit. Its version comes back on top.
      try (Dataset theirs = committed.checkoutVersion(committed.version() - 1)) {
        theirs.restore();
      }
      throw exists();
    } catch (RuntimeException failure) {
      throw LanceFailure.of(failure, "create it", target.location());
    }
  }

  /**
   * Replaces all rows and columns of a table by the fragments, or makes the table when there is
   * none.
   *
   * @return the new version; older ones stay readable
   */
  public long overwrite(List<FragmentFile> fragments, long readVersion) {
    OptionalLong earlier = earlierCommit(readVersion);
    if (earlier.isPresent()) {
      return earlier.getAsLong();
    }
    try (Dataset committed = commit(readVersion, overwrite(fragments))) {
      return committed.version();
    } catch (RuntimeException failure) {
      throw LanceFailure.of(failure, "overwrite it", target.location());
    }
  }

  /**
   * Adds the fragments to a table. Appends of other writers since {@code readVersion} are kept.
   *
   * @return the new version
   * @throws MillraceException COMMIT_CONFLICT when the table was overwritten meanwhile
   */
  public long append(List<FragmentFile> fragments, long readVersion) {
    OptionalLong earlier = earlierCommit(readVersion);
    if (earlier.isPresent()) {
      return earlier.getAsLong();
    }
    Operation operation = Append.builder().fragments(metadata(fragments)).build();
    try (Dataset committed = commit(readVersion, operation)) {
      return committed.version();
    } catch (RuntimeException failure) {
      throw LanceFailure.of(failure, "append to it", target.location());
    }
  }

  private Operation overwrite(List<FragmentFile> fragments) {
    return Overwrite.builder().fragments(metadata(fragments)).schema(target.schema()).build();
  }

  private Dataset commit(long readVersion, Operation operation) {
    runtime.session(); // Loads the library.
    try (Transaction transaction =
        new Transaction.Builder()
            .readVersion(readVersion)
            .operation(operation)
            .transactionProperties(Map.of(WRITE_ID, writeId))
            .build()) {
      CommitBuilder builder =
          new CommitBuilder(target.location().uri(), allocator)
              .useStableRowIds(target.stableRowIds())
              .storageFormat(LanceFormat.commitName(target.format()));
      if (!target.location().storageOptions().isEmpty()) {
        builder.writeParams(target.location().storageOptions());
      }
      return builder.execute(transaction);
    }
  }

  /**
   * The version that this write has made already after {@code readVersion}, if it has: also when
   * the commit's answer was lost.
   */
  public OptionalLong earlierCommit(long readVersion) {
    Optional<LanceDataset> existing = runtime.openIfExists(target.location(), allocator);
    if (existing.isEmpty()) {
      return OptionalLong.empty();
    }
    try (LanceDataset table = existing.get()) {
      return earlierCommit(table, readVersion);
    }
  }

  private OptionalLong earlierCommit(LanceDataset newest, long readVersion) {
    long oldest = Math.max(readVersion, newest.version() - LOOK_BACK_VERSIONS);
    for (long version = newest.version(); version > oldest; version--) {
      try (LanceDataset table = runtime.openPinned(target.location(), version, allocator)) {
        if (table.commitProperty(WRITE_ID).filter(writeId::equals).isPresent()) {
          return OptionalLong.of(version);
        }
      } catch (MillraceException failure) {
        if (failure.code() != ErrorCode.SOURCE_CHANGED) {
          throw failure;
        }
        return OptionalLong.empty(); // Older versions were cleaned up.
      }
    }
    return OptionalLong.empty();
  }

  private MillraceException exists() {
    return new MillraceException(
        ErrorCode.TABLE_EXISTS,
        "There is a Lance table already; write with mode overwrite or append, or choose another"
            + " name: "
            + target.location());
  }

  private static List<FragmentMetadata> metadata(List<FragmentFile> fragments) {
    return fragments.stream().map(FragmentFile::metadata).toList();
  }
}
