package io.millrace.cluster.cli.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.text.CellText;
import io.millrace.core.type.Schema;
import java.io.IOException;
import java.io.OutputStream;

/**
 * CSV with a header. Fields are quoted as RFC 4180 says and only when they must be; null is an
 * empty field and an empty text is {@code ""}. Results are separated by an empty line. Lines end
 * with LF, as line tools expect.
 */
final class CsvWriter implements ResultWriter {
  private final TextSink sink;
  private boolean first = true;

  CsvWriter(OutputStream out) {
    this.sink = new TextSink(out);
  }

  @Override
  public void begin(Schema schema) {
    StringBuilder text = sink.text();
    text.append(first ? "" : "\n");
    first = false;
    boolean firstField = true;
    for (String name : schema.names()) {
      text.append(firstField ? "" : ",");
      int start = text.length();
      text.append(name);
      quoteFrom(text, start);
      firstField = false;
    }
    text.append('\n');
  }

  @Override
  public void write(Batch batch) throws IOException {
    StringBuilder text = sink.text();
    for (int row = 0; row < batch.rowCount(); row++) {
      int physical = batch.physicalRow(row);
      for (int index = 0; index < batch.columnCount(); index++) {
        text.append(index == 0 ? "" : ",");
        ColumnVector column = batch.column(index);
        if (!column.isNull(physical)) {
          int start = text.length();
          CellText.appendPlain(text, column, physical);
          quoteFrom(text, start);
        }
      }
      text.append('\n');
      sink.passOn();
    }
  }

  @Override
  public void end() throws IOException {
    sink.flush();
  }

  /** Quotes the field from a position to the end, when it must be. */
  private static void quoteFrom(StringBuilder text, int start) {
    boolean needed = text.length() == start;
    int quotes = 0;
    for (int index = start; index < text.length(); index++) {
      switch (text.charAt(index)) {
        case '"' -> {
          needed = true;
          quotes++;
        }
        case ',', '\n', '\r' -> needed = true;
        default -> {}
      }
    }
    if (!needed) {
      return;
    }
    if (quotes > 0) {
      String field = text.substring(start).replace("\"", "\"\"");
      text.setLength(start);
      text.append(field);
    }
    text.insert(start, '"').append('"');
  }
}
