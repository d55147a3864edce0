package io.millrace.exec.format.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes rows as one file, or as a folder of part files.
 *
 * <p><b>One file or a folder.</b> A path that ends with {@code /}, that has no suffix of the format
 * or that is a folder already becomes a folder of {@code part-…} files, one a task. Any other path
 * becomes a single file, however many tasks write: each writes a part, and the commit joins them.
 *
 * <p><b>Visibility.</b> Parts lie in a folder {@code _millrace-WRITEID} beside the target, which
 * listings of files leave out, until the commit moves them; abort removes that folder, and so may
 * anyone when the job that wrote it was killed. A single file and a new folder appear by one move;
 * a folder is overwritten by two moves; parts are added to a folder one by one, each whole.
 *
 * <p><b>Modes.</b> CREATE fails with TABLE_EXISTS when there is something; OVERWRITE replaces it;
 * APPEND adds to a folder and is refused for a file that is there.
 */
public final class FileSink implements TableSink {
  private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);

  /** Name of the folder that holds parts before their commit, followed by the write's id. */
  public static final String PENDING_PREFIX = "_millrace-";

  private final SinkSpecification specification;
  private final FileFormat format;
  private final String target;
  private final String pending;
  private final ObjectStore store;

  /**
   * @param suffixes suffixes of paths that name a single file, with dot, lower case
   */
  public FileSink(
      SinkSpecification specification,
      ConnectorContext context,
      FileFormat format,
      Set<String> suffixes) {
    this.specification = specification;
    this.format = format;
    String uri = absolute(specification.uri());
    boolean named = suffixes.stream().anyMatch(uri.toLowerCase(Locale.ROOT)::endsWith);
    this.target = named ? uri : uri.endsWith("/") ? uri : uri + "/";
    String plain = stripSlash(uri);
    this.pending =
        plain.substring(0, plain.lastIndexOf('/') + 1) + PENDING_PREFIX + specification.writeId();
    this.store = context.stores().of(uri);
  }

  private static String absolute(String uri) {
    if (uri.contains("://") || uri.startsWith("file:")) {
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

  /** Work that may fail because of the store. */
  private interface StoreWork<T> {
    T run() throws IOException;
  }

  private <T> T withStore(StoreWork<T> work) {
    try {
      return work.run();
    } catch (IOException problem) {
      boolean full = String.valueOf(problem.getMessage()).contains("No space left");
      throw new MillraceException(
          full ? ErrorCode.DISK_EXHAUSTED : ErrorCode.IO_FAILED,
          "The files cannot be written: '" + specification.uri() + "': " + problem,
          problem);
    }
  }

  private boolean isFolder() throws IOException {
    return target.endsWith("/") || store.isDirectory(target);
  }

  private boolean exists() throws IOException {
    return store.status(folder()).isPresent() || store.isDirectory(folder());
  }

  @Override
  public void begin() {
    withStore(
        () -> {
          checkTarget();
          return null;
        });
  }

  private void checkTarget() throws IOException {
    if (specification.mode() == WriteMode.CREATE && exists()) {
      throw new MillraceException(
          ErrorCode.TABLE_EXISTS,
          "There is something already; choose another path or mode OVERWRITE: '"
              + specification.uri()
              + "'");
    }
    boolean file = store.status(folder()).isPresent();
    if (specification.mode() == WriteMode.APPEND && file) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_FORMAT,
          "Rows cannot be added to a single file; write to a folder: '"
              + specification.uri()
              + "'");
    }
  }

  @Override
  public BatchWriter openWriter(String attemptId) {
    String name = attemptId.replaceAll("[^A-Za-z0-9._-]", "_") + format.suffix();
    return new PartWriter(name);
  }

  private String pendingUri(String name) {
    return pending + "/" + name;
  }

  /** Writes one part; the fragment is its name. */
  private final class PartWriter implements BatchWriter {
    private final String name;
    private OutputStream stream;
    private FileFormat.RowOutput output;
    private boolean finished;
    private boolean closed;

    PartWriter(String name) {
      this.name = name;
    }

    @Override
    public void write(Batch batch) {
      try {
        open();
      } catch (RuntimeException | Error failure) {
        batch.close();
        throw failure;
      }
      withStore(
          () -> {
            output.write(batch);
            return null;
          });
    }

    private void open() {
      if (stream == null) {
        withStore(
            () -> {
              stream = store.create(pendingUri(name));
              output = format.open(stream);
              return null;
            });
      }
    }

    @Override
    public byte[] finish() {
      open();
      withStore(
          () -> {
            output.finish();
            stream.close();
            return null;
          });
      finished = true;
      return name.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      if (closed) {
        return;
      }
      closed = true;
      if (stream != null && !finished) {
        withStore(
            () -> {
              try {
                stream.close();
              } finally {
                store.delete(pendingUri(name));
              }
              return null;
            });
      }
    }
  }

  @Override
  public void commit(List<byte[]> fragments) {
    List<String> names =
        new ArrayList<>(
            fragments.stream()
                .map(fragment -> new String(fragment, StandardCharsets.UTF_8))
                .toList());
    if (names.isEmpty()) {
      try (BatchWriter empty = openWriter("empty")) {
        names.add(new String(empty.finish(), StandardCharsets.UTF_8));
      }
    }
    withStore(
        () -> {
          checkTarget();
          if (isFolder()) {
            commitFolder(names);
          } else {
            commitFile(names);
          }
          return null;
        });
    // The rows are there: what is left over must not make the write look failed.
    deleteIfPossible(pending);
  }

  private void deleteIfPossible(String uri) {
    try {
      store.delete(uri);
    } catch (IOException problem) {
      LOG.warn("Left over files could not be deleted: {}", uri, problem);
    }
  }

  private void commitFile(List<String> names) throws IOException {
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

  private void commitFolder(List<String> names) throws IOException {
    if (specification.mode() == WriteMode.APPEND && store.isDirectory(folder())) {
      for (int part = 0; part < names.size(); part++) {
        store.move(pendingUri(names.get(part)), folder() + "/" + partName(part));
      }
      return;
    }
    String fresh = pending + "/new";
    for (int part = 0; part < names.size(); part++) {
      store.move(pendingUri(names.get(part)), fresh + "/" + partName(part));
    }
    // Beside the pending folder, not in it: an abort must not delete the only copy of old rows.
    String replaced = pending + "-replaced";
    boolean replaces = exists();
    if (replaces) {
      store.move(folder(), replaced);
    }
    try {
      store.move(fresh, folder());
    } catch (IOException problem) {
      if (replaces) {
        putBack(replaced, problem);
      }
      throw problem;
    }
    if (replaces) {
      deleteIfPossible(replaced);
    }
  }

  private void putBack(String replaced, IOException problem) throws IOException {
    try {
      store.move(replaced, folder());
    } catch (IOException second) {
      problem.addSuppressed(second);
      throw new IOException("the rows from before are kept in '" + replaced + "'", problem);
    }
  }

  /** Unique among all writes, so that added parts never replace others. */
  private String partName(int part) {
    return String.format(
        Locale.ROOT, "part-%05d-%s%s", part, specification.writeId(), format.suffix());
  }

  @Override
  public void abort() {
    withStore(
        () -> {
          store.delete(pending);
          return null;
        });
  }

  @Override
  public void close() {}
}
