package io.millrace.exec.format.json;

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
import io.millrace.exec.format.file.FileSetOptions;
import io.millrace.exec.format.file.FileSetScan;
import io.millrace.exec.format.file.FileSetTable;
import io.millrace.exec.format.output.FileSink;
import io.millrace.exec.format.output.SinkOptions;
import io.millrace.exec.format.text.RecordBoundaries;
import io.millrace.exec.format.text.TextFile;
import io.millrace.exec.format.text.TextListing;
import io.millrace.exec.format.text.TextSource;
import io.millrace.exec.format.text.TextTable;
import java.util.List;
import java.util.Set;

/**
 * JSON: one object a line, or an array of objects; one file, a folder of them, or a pattern; plain
 * or compressed.
 *
 * <p>Options: {@code schema} ({@code columns}; all columns with types; names beyond them are then
 * left out), {@code types} ({@code dtypes}; types of some columns), {@code format} ({@code
 * newline_delimited}, {@code array}, {@code unstructured}; default: what the file begins like),
 * {@code sample_rows} ({@code sample_size}; rows from which columns and other types are inferred,
 * see {@link JsonGuess}; default 20,480, −1 for all that fit 256 MiB). A name that no row of the
 * sample had is an error, never lost; one that a row lacks is null.
 */
public final class JsonConnector implements Connector {
  private final long leastSplitBytes;

  public JsonConnector() {
    this(TextTable.LEAST_SPLIT_BYTES);
  }

  /** For tests: files of twice this size are read in parts. */
  JsonConnector(long leastSplitBytes) {
    this.leastSplitBytes = leastSplitBytes;
  }

  @Override
  public String name() {
    return "json";
  }

  @Override
  public Set<String> suffixes() {
    return Set.of(".json", ".jsonl", ".ndjson");
  }

  @Override
  public Set<String> readOptions() {
    return FileSetOptions.and(
        Set.of("types", "dtypes", "schema", "columns", "format", "sample_rows", "sample_size"));
  }

  @Override
  public Set<String> writeOptions() {
    return SinkOptions.and(Set.of());
  }

  @Override
  public Table open(SourceReference source, ConnectorContext context) {
    List<TextFile> files = TextListing.of(source, context.stores());
    JsonFiles layout = new JsonFiles(files, source.options());
    TextTable table =
        new TextTable(
            TextListing.pinned(source, files, source.options()),
            layout.schema(),
            layout.parts(),
            RecordBoundaries.LINES,
            leastSplitBytes,
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
            new JsonDecoder(
                specification,
                JsonForm.valueOf(part.form()),
                specification.source().options().containsKey("schema")
                    || specification.source().options().containsKey("columns"),
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
    return new FileSink(
        specification,
        context,
        new JsonOutput(new SinkOptions(specification).bodySchema()),
        suffixes());
  }
}
