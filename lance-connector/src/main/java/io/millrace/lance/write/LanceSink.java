package io.millrace.lance.write;

import io.millrace.core.config.ByteSize;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.lance.jni.FragmentFile;
import io.millrace.lance.jni.HiddenIndexGuard;
import io.millrace.lance.jni.LanceCommit;
import io.millrace.lance.jni.LanceDataset;
import io.millrace.lance.jni.LanceLocation;
import io.millrace.lance.jni.LanceRuntime;
import io.millrace.lance.jni.WriteTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A write to a Lance table. Appending to a table that does not exist makes it. Older versions stay
 * readable after an overwrite.
 */
public final class LanceSink implements TableSink {
  private static final String ROWS_PER_FRAGMENT = "max_rows_per_file";
  private static final String BYTES_PER_FRAGMENT = "max_bytes_per_file";
  private static final String DROP_UNKNOWN_INDEXES = "drop_unknown_indexes";

  /** What a user may say when writing. */
  public static final Set<String> OPTIONS =
      Set.of(ROWS_PER_FRAGMENT, BYTES_PER_FRAGMENT, DROP_UNKNOWN_INDEXES);

  // Lance's own default for rows. Fragments are the unit of parallel scans, so large values get
  // more
  // of them than Lance's 90 GB would give.
  private static final long ROWS_DEFAULT = 1 << 20;
  private static final String BYTES_DEFAULT = "512MiB";

  private final LanceRuntime runtime;
  private final SinkSpecification specification;
  private final ConnectorContext context;
  private final LanceLocation location;
  private final TableFiles files;
  private Prepared prepared;

  /**
   * What the table is when the write begins.
   *
   * @param readVersion its version; 0 when there is none
   */
  private record Prepared(WriteTarget target, int[] columnOfField, long readVersion) {}

  public LanceSink(
      LanceRuntime runtime, SinkSpecification specification, ConnectorContext context) {
    this.runtime = runtime;
    this.specification = specification;
    this.context = context;
    this.location = LanceLocation.normalized(specification.uri());
    this.files = new TableFiles(location, context.stores(), specification.writeId());
  }

  @Override
  public void begin() {
    limits();
    prepared();
  }

  private Prepared prepare() {
    BufferAllocator allocator = context.allocator();
    Optional<LanceDataset> existing = runtime.openIfExists(location, allocator);
    if (existing.isEmpty()) {
      files.requireNoStrangers();
      return fresh(0);
    }
    try (LanceDataset table = existing.get()) {
      return switch (specification.mode()) {
        case CREATE ->
            throw new MillraceException(
                ErrorCode.TABLE_EXISTS,
                "There is a Lance table already; write with mode overwrite or append, or choose"
                    + " another name: "
                    + location);
        case OVERWRITE -> fresh(table.version());
        case APPEND -> {
          if (!"true".equalsIgnoreCase(specification.options().get(DROP_UNKNOWN_INDEXES))) {
            HiddenIndexGuard.check(runtime, table, allocator);
          }
          WriteTarget target = WriteTarget.append(table);
          int[] columns = ColumnMatch.of(specification.schema(), target.schema(), location);
          yield new Prepared(target, columns, table.version());
        }
      };
    }
  }

  private Prepared fresh(long readVersion) {
    WriteTarget target =
        WriteTarget.fresh(location, TableSchema.forNewTable(specification.schema()));
    int[] columns = new int[specification.schema().size()];
    for (int index = 0; index < columns.length; index++) {
      columns[index] = index;
    }
    return new Prepared(target, columns, readVersion);
  }

  /**
   * On a worker, or in a driver that took over, nothing has begun: the table is looked at again.
   */
  private synchronized Prepared prepared() {
    if (prepared == null) {
      prepared = prepare();
    }
    return prepared;
  }

  @Override
  public BatchWriter openWriter(String attemptId) {
    Prepared write = prepared();
    return new LanceBatchWriter(
        write.target(), write.columnOfField(), limits(), files, attemptId, context.allocator());
  }

  private FragmentLimits limits() {
    String rows = specification.options().get(ROWS_PER_FRAGMENT);
    String bytes = specification.options().getOrDefault(BYTES_PER_FRAGMENT, BYTES_DEFAULT);
    try {
      long rowLimit = rows == null ? ROWS_DEFAULT : Long.parseLong(rows.strip());
      long byteLimit = ByteSize.parse(bytes);
      if (rowLimit < 1 || byteLimit < 1) {
        throw new IllegalArgumentException("below 1");
      }
      return new FragmentLimits(
          rowLimit, byteLimit, context.configuration().value(Settings.QUEUE_BYTES));
    } catch (IllegalArgumentException invalid) {
      throw new MillraceException(
          ErrorCode.INVALID_OPTION_VALUE,
          "max_rows_per_file is a whole number and max_bytes_per_file a size such as 512MiB, both"
              + " from 1: "
              + specification.options(),
          invalid);
    }
  }

  @Override
  public void commit(List<byte[]> fragments) {
    Prepared write = prepared();
    List<FragmentFile> all = new ArrayList<>();
    fragments.forEach(part -> all.addAll(AttemptFragments.decode(part)));
    LanceCommit commit =
        new LanceCommit(runtime, context.allocator(), write.target(), specification.writeId());
    if (write.target().appending()) {
      commit.append(all, write.readVersion());
    } else if (write.readVersion() == 0 && specification.mode() != WriteMode.OVERWRITE) {
      commit.create(all);
    } else {
      commit.overwrite(all, write.readVersion());
    }
    files.removeAllBut(all);
  }

  private LanceCommit committer(Prepared write) {
    return new LanceCommit(runtime, context.allocator(), write.target(), specification.writeId());
  }

  /** Removes the fragments, unless a commit that seemed to fail has made them visible after all. */
  @Override
  public void abort() {
    Prepared write;
    synchronized (this) {
      write = prepared;
    }
    if (write != null && committer(write).earlierCommit(write.readVersion()).isPresent()) {
      files.removeNotes();
      return;
    }
    files.removeAllBut(List.of());
  }

  @Override
  public void close() {
    // Nothing is held between calls: writers and commits close what they open.
  }
}
