package io.millrace.exec.format.csv;

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
import io.millrace.exec.format.text.TextFile;
import io.millrace.exec.format.text.TextListing;
import io.millrace.exec.format.text.TextSource;
import io.millrace.exec.format.text.TextSplit;
import io.millrace.exec.format.text.TextTable;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Delimited text: one file, a folder of them, or a pattern; plain or compressed.
 *
 * <p>Options when reading: {@code header} (default true), {@code delimiter} ({@code sep}, {@code
 * delim}; default: the comma, or what the first line has), {@code quote} (default the double quote;
 * empty for none), {@code escape} (default: the quote, doubled), {@code null_value} ({@code
 * nullstr}; default empty), {@code types} (types of some columns, as in {@code 'id int64, day
 * date'}), {@code schema} (all columns with types, in order), {@code sample_rows} ({@code
 * sample_size}; rows from which other types are inferred, default 20,480, −1 for all that fit 256
 * MiB).
 *
 * <p>A field without quotes that is empty is null. An empty quoted one is an empty string in a text
 * column, null in others. A field that does not fit its column's type is an error. Where the
 * columns of several files have other orders, their headers' names decide.
 */
public final class CsvConnector implements Connector {
  /** The plan's options carry what was decided on the driver under this name. */
  private static final String DECIDED_DELIMITER = "delimiter";

  private final long leastSplitBytes;

  public CsvConnector() {
    this(TextTable.LEAST_SPLIT_BYTES);
  }

  /** For tests: files of twice this size are read in parts. */
  CsvConnector(long leastSplitBytes) {
    this.leastSplitBytes = leastSplitBytes;
  }

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public Set<String> suffixes() {
    return Set.of(".csv", ".tsv");
  }

  @Override
  public Set<String> readOptions() {
    return FileSetOptions.and(CsvDialect.OPTIONS);
  }

  @Override
  public Set<String> writeOptions() {
    return SinkOptions.and(CsvFormat.OPTIONS);
  }

  @Override
  public Table open(SourceReference source, ConnectorContext context) {
    List<TextFile> files = TextListing.of(source, context.stores());
    byte[] head = files.getFirst().head(64 << 10);
    CsvDialect dialect = CsvDialect.of(source.options(), head);
    CsvFiles.Layout layout = new CsvFiles(files, source.options(), dialect).layout();
    Map<String, String> options = new HashMap<>(source.options());
    options.keySet().removeAll(Set.of("delim", "sep"));
    options.put(DECIDED_DELIMITER, String.valueOf((char) dialect.delimiter()));
    TextTable table =
        new TextTable(
            TextListing.pinned(source, files, options),
            layout.schema(),
            layout.parts(),
            new CsvBoundaries(dialect),
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
    CsvDialect dialect = CsvDialect.of(specification.source().options(), new byte[0]);
    return new TextSource(
        specification,
        split,
        part ->
            new CsvDecoder(
                specification,
                dialect,
                Integer.parseInt(part.form()),
                fileColumns(specification, part),
                context.configuration().value(Settings.BATCH_ROWS),
                context.configuration().value(Settings.BATCH_BYTES),
                context.allocator()),
        context);
  }

  private static int[] fileColumns(ScanSpecification specification, TextSplit split) {
    return specification.columns().stream()
        .mapToInt(column -> specification.tableSchema().indexOf(column.sourceColumn()))
        .map(index -> split.columns().isEmpty() ? index : split.columns().get(index))
        .toArray();
  }

  @Override
  public RowTaker openTaker(SourceReference source, ConnectorContext context) {
    throw new MillraceException(
        ErrorCode.UNSUPPORTED_FORMAT, "Single rows of text files are not taken by address.");
  }

  @Override
  public TableSink openSink(SinkSpecification specification, ConnectorContext context) {
    boolean isTabbed = specification.uri().toLowerCase(Locale.ROOT).endsWith(".tsv");
    CsvFormat format =
        new CsvFormat(
            new SinkOptions(specification).bodySchema(), specification.options(), isTabbed);
    return new FileSink(specification, context, format, suffixes());
  }
}
