package io.millrace.exec.format.text;

import io.millrace.core.config.Settings;
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
import io.millrace.exec.format.file.FileSetOptions;
import io.millrace.exec.format.file.FileSetScan;
import io.millrace.exec.format.file.FileSetTable;
import java.util.List;
import java.util.Set;

/** {@code read_text}: a row per line of UTF-8 text, in the one column {@code text}. */
public final class LineConnector implements Connector {
  static final Field TEXT = Field.required("text", DataType.STRING);

  @Override
  public String name() {
    return "text";
  }

  @Override
  public Set<String> suffixes() {
    return Set.of(".txt");
  }

  @Override
  public Set<String> readOptions() {
    return FileSetOptions.and(Set.of());
  }

  @Override
  public Set<String> writeOptions() {
    return Set.of();
  }

  @Override
  public Table open(SourceReference source, ConnectorContext context) {
    List<TextFile> files = TextListing.of(source, context.stores());
    TextTable table =
        new TextTable(
            TextListing.pinned(source, files, source.options()),
            Schema.of(TEXT),
            files.stream()
                .map(file -> new TextTable.Part(file.pinned(), file.markLength()))
                .toList(),
            RecordBoundaries.LINES,
            TextTable.LEAST_SPLIT_BYTES,
            context);
    return FileSetTable.around(
        table, files.stream().map(TextFile::pinned).toList(), List.of(), context);
  }

  @Override
  public BatchSource openScan(
      ScanSpecification specification, Split split, ConnectorContext context) {
    return FileSetScan.open(
        specification, split, context, (inner, own) -> openText(inner, own, context));
  }

  private static BatchSource openText(
      ScanSpecification specification, Split split, ConnectorContext context) {
    return new TextSource(
        specification,
        split,
        part ->
            new LineDecoder(
                specification,
                context.configuration().value(Settings.BATCH_ROWS),
                context.configuration().value(Settings.BATCH_BYTES),
                context.allocator()),
        context);
  }

  @Override
  public RowTaker openTaker(SourceReference source, ConnectorContext context) {
    throw new MillraceException(
        ErrorCode.UNSUPPORTED_FORMAT, "Single rows of text files are not taken by address.");
  }

  @Override
  public TableSink openSink(SinkSpecification specification, ConnectorContext context) {
    throw new MillraceException(
        ErrorCode.UNSUPPORTED_FORMAT,
        "Plain text is not written; write CSV: " + specification.uri());
  }
}
