package io.millrace.exec.format.csv;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.exec.format.text.RecordDecoder;
import io.millrace.exec.format.text.RecordFault;
import io.millrace.exec.format.text.ValueParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Turns delimited records into batches: finds the fields of many records, then fills columns. */
final class CsvDecoder implements RecordDecoder {
  private static final int SHOWN_BYTES = 60;

  private final ScanSpecification specification;
  private final CsvDialect dialect;
  private final int fileColumnCount;
  private final int[] sourceColumns;
  private final int batchRows;
  private final long batchBytes;
  private final BufferAllocator allocator;
  private final CsvScanner scanner;
  private final ValueParser[] parsers;
  private byte[] bytes = new byte[0];
  private int position;
  private int limit;
  private long discarded;
  private boolean last;

  /**
   * @param fileColumnCount fields that each record must have
   * @param sourceColumns for each output column its position in a record, −1 for null
   */
  CsvDecoder(
      ScanSpecification specification,
      CsvDialect dialect,
      int fileColumnCount,
      int[] sourceColumns,
      int batchRows,
      long batchBytes,
      BufferAllocator allocator) {
    this.specification = specification;
    this.dialect = dialect;
    this.fileColumnCount = fileColumnCount;
    this.sourceColumns = sourceColumns;
    this.batchRows = batchRows;
    this.batchBytes = batchBytes;
    this.allocator = allocator;
    this.scanner = new CsvScanner(dialect);
    this.parsers =
        specification.columns().stream()
            .map(column -> ValueParser.of(column.output().type()))
            .toArray(ValueParser[]::new);
  }

  @Override
  public void accept(byte[] added, int length, boolean isLast) {
    last = isLast;
    int rest = limit - position;
    discarded += position;
    position = 0;
    if (rest == 0) {
      bytes = added;
      limit = length;
      return;
    }
    byte[] joined = new byte[Math.addExact(rest, length)];
    System.arraycopy(bytes, limit - rest, joined, 0, rest);
    System.arraycopy(added, 0, joined, rest, length);
    bytes = joined;
    limit = joined.length;
  }

  @Override
  public Batch next() throws RecordFault {
    scanner.clear();
    int rows = 0;
    int at = position;
    while (rows < batchRows && at < limit && at - position < batchBytes) {
      at = dialect.afterComments(bytes, at, limit);
      if (dialect.isComment(bytes, at, limit) || at == limit) {
        // A comment that goes on beyond the bytes that are here.
        at = last ? limit : at;
        break;
      }
      int first = scanner.fieldCount();
      int next = scanner.record(bytes, at, limit, last);
      if (next == CsvScanner.INCOMPLETE) {
        break;
      }
      if (scanner.fault() == null && fileColumnCount > 1 && scanner.isEmptyLine(first)) {
        scanner.truncate(first);
        at = next;
        continue;
      }
      int found = scanner.fieldCount() - first;
      if (scanner.fault() != null || found != fileColumnCount) {
        if (rows > 0) {
          // The rows before it are given first.
          scanner.truncate(first);
          break;
        }
        throw new RecordFault(
            ErrorCode.INVALID_FILE,
            scanner.fault() != null
                ? scanner.fault()
                : "A record has another number of fields than the table has columns: "
                    + found
                    + " of "
                    + fileColumnCount
                    + ".",
            discarded + at);
      }
      at = next;
      rows++;
    }
    if (rows == 0) {
      position = at;
      return null;
    }
    Batch batch = batch(rows);
    position = at;
    return batch;
  }

  private Batch batch(int rows) throws RecordFault {
    List<ColumnVector> columns = new ArrayList<>(sourceColumns.length);
    try {
      for (int column = 0; column < sourceColumns.length; column++) {
        columns.add(column(column, rows));
      }
      List<ColumnVector> given = List.copyOf(columns);
      columns.clear();
      return new Batch(specification.outputSchema(), given, rows);
    } finally {
      columns.forEach(ColumnVector::close);
    }
  }

  private ColumnVector column(int column, int rows) throws RecordFault {
    Field output = specification.columns().get(column).output();
    ValueParser parser = parsers[column];
    boolean isText = output.type() instanceof DataType.Text;
    try (VectorBuilder builder = new VectorBuilder(output.type(), allocator)) {
      for (int row = 0; row < rows; row++) {
        if (sourceColumns[column] < 0) {
          builder.appendNull();
          continue;
        }
        int field = row * fileColumnCount + sourceColumns[column];
        int from = scanner.start(field);
        int to = scanner.end(field);
        byte kind = scanner.kind(field);
        if (isNull(from, to, kind, isText)) {
          builder.appendNull();
        } else if (kind == CsvScanner.ESCAPED) {
          byte[] text = scanner.unescaped(bytes, field);
          if (!parser.append(text, 0, text.length, builder)) {
            throw misfit(column, row, text, 0, text.length);
          }
        } else if (!parser.append(bytes, from, to, builder)) {
          throw misfit(column, row, bytes, from, to);
        }
      }
      return builder.finish();
    }
  }

  /** A quoted field is null only where its type has no empty value. */
  private boolean isNull(int from, int to, byte kind, boolean isText) {
    if (kind != 0 && (isText || to > from)) {
      return false;
    }
    return from == to && (kind != 0 || !isText) || dialect.isNullText(bytes, from, to);
  }

  private RecordFault misfit(int column, int row, byte[] text, int from, int to) {
    Field output = specification.columns().get(column).output();
    String shown = new String(text, from, Math.min(to - from, SHOWN_BYTES), StandardCharsets.UTF_8);
    String advice =
        output.type() instanceof DataType.Text
            ? "A field is not UTF-8: '"
            : "A field does not fit its column's type; name the type in option types: '";
    return new RecordFault(
        ErrorCode.MALFORMED_VALUE,
        advice
            + shown
            + "' for column '"
            + specification.columns().get(column).sourceColumn()
            + "' of type "
            + output.type()
            + ".",
        discarded + recordStart(row));
  }

  private int recordStart(int row) {
    int start = scanner.start(row * fileColumnCount);
    return scanner.kind(row * fileColumnCount) == 0 ? start : start - 1;
  }

  @Override
  public void close() {
    bytes = new byte[0];
    position = 0;
    limit = 0;
  }
}
