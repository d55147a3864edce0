package io.millrace.exec.format.arrow;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.file.FileListing;
import io.millrace.exec.format.file.FileSetOptions;
import io.millrace.exec.format.file.FileSetScan;
import io.millrace.exec.format.file.FileSetTable;
import io.millrace.exec.format.file.PinnedFile;
import io.millrace.exec.format.output.FileSink;
import io.millrace.exec.format.output.SinkOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Arrow IPC files and streams: one, a folder of them, or a pattern. */
public final class ArrowConnector implements Connector {

  @Override
  public String name() {
    return "arrow";
  }

  @Override
  public Set<String> suffixes() {
    return Set.of(".arrow", ".arrows", ".feather", ".ipc");
  }

  @Override
  public Set<String> readOptions() {
    return FileSetOptions.and(Set.of());
  }

  @Override
  public Set<String> writeOptions() {
    return SinkOptions.and(ArrowFormat.OPTIONS);
  }

  @Override
  public Table open(SourceReference source, ConnectorContext context) {
    List<PinnedFile> files = new FileListing(context.stores()).dataFiles(source.uris(), "Arrow");
    List<Schema> schemas = new ArrayList<>();
    List<Integer> batches = new ArrayList<>();
    for (PinnedFile file : files) {
      ArrowLayout layout = layout(file, context);
      schemas.add(layout.schema());
      batches.add(layout.isStream() ? -1 : layout.batches().size());
    }
    List<String> uris = files.stream().map(PinnedFile::uri).toList();
    ArrowTable table =
        new ArrowTable(
            source.withPin(uris, PinnedFile.pin(files)), schema(schemas), files, batches);
    return FileSetTable.around(table, files, schemas, context);
  }

  /** The first file's columns; one may be null when it may be, or is not there, in any file. */
  private static Schema schema(List<Schema> schemas) {
    List<Field> fields = new ArrayList<>();
    for (Field field : schemas.getFirst().fields()) {
      boolean nullable =
          schemas.stream()
              .anyMatch(
                  schema ->
                      schema.fields().stream()
                          .noneMatch(own -> own.name().equals(field.name()) && !own.nullable()));
      fields.add(field.withNullable(nullable));
    }
    return new Schema(fields);
  }

  private static ArrowLayout layout(PinnedFile file, ConnectorContext context) {
    try (ByteSource bytes = context.stores().of(file.uri()).open(file.uri())) {
      return ArrowLayout.read(bytes, file.path());
    } catch (IOException problem) {
      throw new MillraceException(
          ErrorCode.IO_FAILED,
          "The file cannot be opened: '" + file.path() + "': " + problem.getMessage(),
          problem);
    }
  }

  @Override
  public BatchSource openScan(
      ScanSpecification specification, Split split, ConnectorContext context) {
    return FileSetScan.open(
        specification,
        split,
        context,
        (inner, own) -> {
          ArrowTable.Range range = ArrowTable.Range.of(own);
          PinnedFile file = PinnedFile.of(inner.source()).get(range.file());
          return new ArrowSource(inner, file, range.from(), range.to(), context);
        });
  }

  @Override
  public RowTaker openTaker(SourceReference source, ConnectorContext context) {
    throw new MillraceException(
        ErrorCode.UNSUPPORTED_FORMAT, "Single rows of Arrow files are not taken by address.");
  }

  @Override
  public TableSink openSink(SinkSpecification specification, ConnectorContext context) {
    ArrowFormat format =
        new ArrowFormat(
            new SinkOptions(specification).bodySchema(),
            specification.options(),
            context.allocator());
    return new FileSink(specification, context, format, suffixes());
  }
}
