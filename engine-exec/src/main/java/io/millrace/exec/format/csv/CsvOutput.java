package io.millrace.exec.format.csv;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.text.CellText;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.output.FileFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes RFC 4180: fields are quoted when they must be, null is an empty field, an empty text is
 * {@code ""}. Lines end with LF, as line tools expect.
 */
final class CsvOutput implements FileFormat.RowOutput {
  private static final int PIECE_CHARS = 1 << 16;

  private final OutputStream stream;
  private final Schema schema;
  private final char delimiter;
  private final boolean header;
  private final String nullText;
  private final StringBuilder text = new StringBuilder();
  private boolean begun;

  CsvOutput(OutputStream stream, Schema schema, char delimiter, boolean header, String nullText) {
    this.stream = stream;
    this.schema = schema;
    this.delimiter = delimiter;
    this.header = header;
    this.nullText = nullText;
  }

  private void begin() {
    if (begun) {
      return;
    }
    begun = true;
    if (header) {
      for (int index = 0; index < schema.size(); index++) {
        separate(index);
        int start = text.length();
        text.append(schema.field(index).name());
        quoteFrom(start);
      }
      text.append('\n');
    }
  }

  private void separate(int index) {
    if (index > 0) {
      text.append(delimiter);
    }
  }

  @Override
  public void write(Batch batch) throws IOException {
    try (batch) {
      begin();
      for (int row = 0; row < batch.rowCount(); row++) {
        int physical = batch.physicalRow(row);
        for (int index = 0; index < batch.columnCount(); index++) {
          separate(index);
          ColumnVector column = batch.column(index);
          if (column.isNull(physical)) {
            text.append(nullText);
          } else {
            int start = text.length();
            CellText.appendPlain(text, column, physical);
            quoteFrom(start);
          }
        }
        text.append('\n');
        if (text.length() >= PIECE_CHARS) {
          flush();
        }
      }
    }
  }

  @Override
  public void finish() throws IOException {
    begin();
    flush();
  }

  private void flush() throws IOException {
    stream.write(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
  }

  /** Quotes the field from a position to the end, when it must be. */
  private void quoteFrom(int start) {
    boolean needed =
        text.length() == start
            || !nullText.isEmpty()
                && text.length() - start == nullText.length()
                && text.indexOf(nullText, start) == start;
    boolean quotes = false;
    for (int index = start; index < text.length(); index++) {
      char character = text.charAt(index);
      quotes |= character == '"';
      needed |=
          character == '"' || character == delimiter || character == '\n' || character == '\r';
    }
    if (!needed) {
      return;
    }
    if (quotes) {
      String field = text.substring(start).replace("\"", "\"\"");
      text.setLength(start);
      text.append(field);
    }
    text.insert(start, '"').append('"');
  }
}
