package io.millrace.planner.dataframe;

import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.WriteMode;
import io.millrace.planner.logical.SourceScan;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tables that CREATE TABLE made: files in a folder of the Session, removed when it closes. Workers
 * write and read them there, so on a cluster of several machines the folder must be a shared one.
 */
final class StoredTables implements AutoCloseable {
  /** The first of these that is there keeps the rows. */
  private static final List<String> FORMATS = List.of("lance", "parquet");

  private final Session session;
  private Path folder;
  private int created;

  StoredTables(Session session) {
    this.session = session;
  }

  /** Writes the rows and makes them a table. */
  WriteResult create(String name, DataFrame rows, boolean replace) {
    String format = format();
    String uri = newFile(format);
    WriteResult written =
        session.write(rows.relation(), Optional.of(format), uri, WriteMode.CREATE, Map.of());
    session.catalog().putTable(name, open(format, uri), replace);
    return written;
  }

  /**
   * Adds rows to a table of the catalog.
   *
   * @throws MillraceException UNKNOWN_TABLE, UNSUPPORTED_SQL for a view
   */
  WriteResult append(String name, DataFrame rows) {
    Catalog.Entry entry =
        session.catalog().entry(name).orElseThrow(() -> session.catalog().unknown(name));
    if (!(entry.rows().relation().node() instanceof SourceScan scan)) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL, "Rows cannot be added to a view: '" + name + "'");
    }
    SourceReference source = scan.table().reference();
    String uri = source.uris().getFirst();
    WriteResult written =
        session.write(
            rows.relation(), Optional.of(source.connector()), uri, WriteMode.APPEND, Map.of());
    session.catalog().putTable(entry.name(), open(source.connector(), uri), true);
    return written;
  }

  private DataFrame open(String format, String uri) {
    return session.frame(session.sources().open(Optional.of(format), List.of(uri), Map.of()));
  }

  private String format() {
    List<String> known =
        session.services().connectors().all().stream().map(Connector::name).toList();
    return FORMATS.stream()
        .filter(known::contains)
        .findFirst()
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.MISSING_ARTIFACT,
                    "CREATE TABLE needs a connector that keeps tables; add"
                        + " io.millrace:lance-connector"));
  }

  private synchronized String newFile(String format) {
    try {
      if (folder == null) {
        folder = makeFolder();
      }
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.IO_FAILED, "The folder for tables cannot be made: " + failure, failure);
    }
    created++;
    return folder.resolve("table-" + created + "." + format).toString();
  }

  private Path makeFolder() throws IOException {
    String setting = session.configuration().value(Settings.TABLES_DIRECTORY);
    if (!setting.isEmpty()) {
      Path parent = Files.createDirectories(Path.of(ClientPaths.absolute(setting)));
      return Files.createTempDirectory(parent, "millrace-tables");
    }
    if (!session.services().runner().sharesFiles()) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL,
          "CREATE TABLE on a cluster of other machines needs a folder that all of them see; set"
              + " tables.directory to one, or write files with COPY.");
    }
    return Files.createTempDirectory("millrace-tables");
  }

  @Override
  public synchronized void close() throws IOException {
    if (folder != null) {
      Files.walkFileTree(folder, new Removal());
      folder = null;
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
