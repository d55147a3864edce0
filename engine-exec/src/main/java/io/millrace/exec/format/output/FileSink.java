package io.millrace.exec.format.output;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.exec.store.LocalObjectStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes rows as one file, or as a folder of part files.
 *
 * <p><b>One file or a folder.</b> A path that ends with {@code /}, that has no suffix of the format
 * or that is a folder already becomes a folder of {@code part-…} files, and so does any path of a
 * write with partitions. Any other path becomes a single file, however many tasks write: each
 * writes a part, and the commit joins them.
 *
 * <p><b>Visibility.</b> Parts lie in a folder {@code _millrace-WRITEID} beside the target, which
 * listings of files leave out, until the commit moves them; abort removes that folder, and so may
 * anyone when the job that wrote it was killed. A single file and a new folder appear by one move;
 * in a folder that is there, marks tell readers which files count: see {@link WriteJournal}.
 *
 * <p><b>Modes.</b> CREATE fails with TABLE_EXISTS when there is something; OVERWRITE replaces it;
 * APPEND adds to a folder and is refused for a file that is there.
 */
public final class FileSink implements TableSink {
  private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);

  /** Name of the folder that holds parts before their commit, followed by the write's id. */
  public static final String PENDING_PREFIX = "_millrace-";

  private final SinkSpecification specification;
  private final SinkOptions options;
  private final FileFormat format;
  private final String target;
  private final String pending;
  private final ObjectStore store;
  private final StoreCalls calls;

  /**
   * @param suffixes suffixes of paths that name a single file, with dot, lower case
   */
  public FileSink(
      SinkSpecification specification,
      ConnectorContext context,
      FileFormat format,
      Set<String> suffixes) {
    this.specification = specification;
    this.options = new SinkOptions(specification);
    this.format = format;
    this.calls = new StoreCalls(specification.uri());
    String uri = absolute(specification.uri());
    boolean named = suffixes.stream().anyMatch(uri.toLowerCase(Locale.ROOT)::endsWith);
    boolean single = named && !options.isPartitioned();
    this.target = single || uri.endsWith("/") ? uri : uri + "/";
    String plain = stripSlash(uri);
    this.pending =
        plain.substring(0, plain.lastIndexOf('/') + 1) + PENDING_PREFIX + specification.writeId();
    this.store = context.stores().of(uri);
  }

  private static String absolute(String given) {
    String uri = LocalObjectStore.plainPath(given);
    if (uri.contains("://")) {
      return uri;
    }
    String path = Path.of(uri).toAbsolutePath().normalize().toString();
    return uri.endsWith("/") && !path.endsWith("/") ? path + "/" : path;
  }

  private static String stripSlash(String uri) {
    return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
  }

  private String folder() {
    return stripSlash(target);
  }

  private boolean isFolder() throws IOException {
    return target.endsWith("/") || store.isDirectory(target);
  }

  private boolean isFile() throws IOException {
    return store.status(folder()).isPresent();
  }

  @Override
  public void begin() {
    options.bodyColumns();
    calls.run(this::checkTarget);
  }

  private void checkTarget() throws IOException {
    if (specification.mode() == WriteMode.CREATE && (isFile() || store.isDirectory(folder()))) {
      throw new MillraceException(
          ErrorCode.TABLE_EXISTS,
          "There is something already; choose another path or mode OVERWRITE: '"
              + specification.uri()
              + "'");
    }
    if (specification.mode() == WriteMode.APPEND && isFile()) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_FORMAT,
          "Rows cannot be added to a single file; write to a folder: '"
              + specification.uri()
              + "'");
    }
  }

  @Override
  public BatchWriter openWriter(String attemptId) {
    String name = attemptId.replaceAll("[^A-Za-z0-9._-]", "_");
    List<Integer> partitionColumns = options.partitionColumns();
    Optional<PartitionFolders> partitions =
        partitionColumns.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new PartitionFolders(
                    partitionColumns,
                    partitionColumns.stream().map(specification.schema().names()::get).toList()));
    List<String> written = new ArrayList<>();
    // A part of what becomes a single file is joined anyway.
    long fileBytes = target.endsWith("/") ? options.fileBytes() : Long.MAX_VALUE;
    return new FolderWriter(
        partitions,
        options.bodyColumns(),
        folder ->
            new PartFiles(
                store,
                format,
                pending,
                folder.isEmpty() ? name : folder + "/" + name,
                fileBytes,
                written),
        calls,
        written);
  }

  private String pendingUri(String name) {
    return pending + "/" + name;
  }

  @Override
  public void commit(List<byte[]> fragments) {
    List<String> names = new ArrayList<>();
    fragments.forEach(fragment -> names.addAll(FolderWriter.paths(fragment)));
    calls.run(
        () -> {
          checkTarget();
          if (isFolder()) {
            commitFolder(names);
          } else {
            commitFile(names);
          }
        });
    // The rows are there: what is left over must not make the write look failed.
    try {
      store.delete(pending);
    } catch (IOException problem) {
      LOG.warn("Left over files could not be deleted: {}", pending, problem);
    }
  }

  /** A file without rows, where only its columns can be told. */
  private List<String> emptyPart() throws IOException {
    List<String> written = new ArrayList<>();
    try (PartFiles part = new PartFiles(store, format, pending, "empty", 1, written)) {
      part.finish(true);
    }
    return written;
  }

  private void commitFile(List<String> given) throws IOException {
    List<String> names = given.isEmpty() ? emptyPart() : given;
    String whole = pendingUri(names.getFirst());
    if (names.size() > 1) {
      whole = pendingUri("joined" + format.suffix());
      join(names, whole);
    }
    store.move(whole, target);
  }

  private void join(List<String> names, String whole) throws IOException {
    List<ByteSource> parts = new ArrayList<>();
    try {
      for (String name : names) {
        parts.add(store.open(pendingUri(name)));
      }
      try (OutputStream stream = store.create(whole)) {
        format.join(parts, stream);
      }
    } finally {
      for (ByteSource part : parts) {
        part.close();
      }
    }
  }

  private void commitFolder(List<String> given) throws IOException {
    boolean there = store.isDirectory(folder());
    boolean replaces = specification.mode() == WriteMode.OVERWRITE;
    // Rows that are added need no file that only tells the columns.
    List<String> names =
        given.isEmpty() && (replaces || !there) && !options.isPartitioned() ? emptyPart() : given;
    Map<String, String> moves = new LinkedHashMap<>();
    for (int part = 0; part < names.size(); part++) {
      moves.put(pendingUri(names.get(part)), partPath(names.get(part), part));
    }
    if (there || !store.movesFoldersAtOnce()) {
      new FolderCommit(store, folder(), specification.writeId()).run(moves, there && replaces);
      return;
    }
    String fresh = pending + "/new";
    for (Map.Entry<String, String> move : moves.entrySet()) {
      store.move(move.getKey(), fresh + "/" + move.getValue());
    }
    if (moves.isEmpty()) {
      return;
    }
    if (isFile()) {
      replaceFile(fresh);
    } else {
      store.move(fresh, folder());
    }
  }

  /** A folder takes the place of a file. */
  private void replaceFile(String fresh) throws IOException {
    // Beside the pending folder, not in it: an abort must not delete the only copy of old rows.
    String replaced = pending + "-replaced";
    store.move(folder(), replaced);
    try {
      store.move(fresh, folder());
    } catch (IOException problem) {
      store.move(replaced, folder());
      throw problem;
    }
    store.delete(replaced);
  }

  /** Unique among all writes, so that added parts never replace others. */
  private String partPath(String name, int part) {
    return name.substring(0, name.lastIndexOf('/') + 1)
        + String.format(
            Locale.ROOT, "part-%05d-%s%s", part, specification.writeId(), format.suffix());
  }

  @Override
  public void abort() {
    calls.run(() -> store.delete(pending));
  }

  @Override
  public void close() {}
}
