package io.millrace.exec.format.file;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code read_files}: a row per file, its content as heavy column. */
public final class FileConnector implements Connector {
  static final String PATH = "path";
  static final String SIZE = "size";
  static final String MODIFIED = "modified";
  static final String CONTENT = "content";

  /** The columns of every listing. */
  static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.required(PATH, DataType.STRING),
              Field.required(SIZE, DataType.INT64),
              Field.required(MODIFIED, DataType.timestamp(TimeUnit.MILLISECOND, "UTC")),
              Field.required(CONTENT, DataType.BINARY)));

  @Override
  public String name() {
    return "files";
  }

  @Override
  public Set<String> suffixes() {
    return Set.of();
  }

  @Override
  public Set<String> readOptions() {
    return Set.of();
  }

  @Override
  public Set<String> writeOptions() {
    return Set.of();
  }

  @Override
  public Table open(SourceReference source, ConnectorContext context) {
    List<PinnedFile> files = new ArrayList<>();
    FileListing listing = new FileListing(context.stores());
    source.uris().forEach(pattern -> files.addAll(listing.list(pattern)));
    List<String> uris = files.stream().map(PinnedFile::uri).toList();
    return new FileTable(source.withPin(uris, PinnedFile.pin(files)), files);
  }

  @Override
  public BatchSource openScan(
      ScanSpecification specification, Split split, ConnectorContext context) {
    return new FileSource(specification, FileTable.range(split), context);
  }

  @Override
  public RowTaker openTaker(SourceReference source, ConnectorContext context) {
    return new FileTaker(PinnedFile.of(source), context);
  }

  @Override
  public TableSink openSink(SinkSpecification specification, ConnectorContext context) {
    throw new MillraceException(
        ErrorCode.UNSUPPORTED_FORMAT,
        "A listing of files cannot be written; write a table format: " + specification.uri());
  }
}
