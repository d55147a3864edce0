package io.millrace.cluster.cli.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.text.CellText;
import io.millrace.core.text.JsonText;
import io.millrace.core.type.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Aligned columns for people: numbers to the right, {@code NULL} for null, control characters
 * escaped. Widths follow the first rows; a later, wider value is printed whole and shifts its line.
 * Results are separated by an empty line.
 */
final class TableWriter implements ResultWriter {
  /** Rows that set the widths before the first is printed. */
  private static final int MEASURED_ROWS = 1_000;

  private static final String NULL_TEXT = "NULL";

  private final TextSink sink;
  private final List<String[]> waiting = new ArrayList<>();
  private Schema schema;
  private int[] widths;
  private boolean printing;
  private boolean first = true;

  TableWriter(OutputStream out) {
    this.sink = new TextSink(out);
  }

  @Override
  public void begin(Schema newSchema) {
    schema = newSchema;
    widths = new int[schema.size()];
    printing = false;
    for (int index = 0; index < widths.length; index++) {
      widths[index] = width(escaped(schema.field(index).name()));
    }
  }

  @Override
  public void write(Batch batch) throws IOException {
    for (int row = 0; row < batch.rowCount(); row++) {
      String[] cells = cells(batch, batch.physicalRow(row));
      if (printing) {
        print(cells);
      } else {
        waiting.add(cells);
        for (int index = 0; index < cells.length; index++) {
          widths[index] = Math.max(widths[index], width(cells[index]));
        }
        if (waiting.size() == MEASURED_ROWS) {
          printWaiting();
        }
      }
    }
  }

  @Override
  public void end() throws IOException {
    if (!printing) {
      printWaiting();
    }
    sink.flush();
  }

  private String[] cells(Batch batch, int physicalRow) {
    String[] cells = new String[widths.length];
    for (int index = 0; index < cells.length; index++) {
      ColumnVector column = batch.column(index);
      if (column.isNull(physicalRow)) {
        cells[index] = NULL_TEXT;
      } else {
        StringBuilder text = new StringBuilder();
        CellText.appendPlain(text, column, physicalRow);
        cells[index] = escaped(text.toString());
      }
    }
    return cells;
  }

  private void printWaiting() throws IOException {
    sink.text().append(first ? "" : "\n");
    first = false;
    printing = true;
    print(schema.names().stream().map(TableWriter::escaped).toArray(String[]::new));
    StringBuilder text = sink.text();
    for (int index = 0; index < widths.length; index++) {
      text.append(index == 0 ? "-" : "-+-").append("-".repeat(widths[index]));
    }
    text.append("-\n");
    for (String[] cells : waiting) {
      print(cells);
    }
    waiting.clear();
  }

  private void print(String[] cells) throws IOException {
    StringBuilder text = sink.text();
    for (int index = 0; index < cells.length; index++) {
      text.append(index == 0 ? " " : " | ");
      String padding = " ".repeat(Math.max(0, widths[index] - width(cells[index])));
      boolean right = schema.field(index).type().isNumeric();
      boolean last = index == cells.length - 1;
      text.append(right ? padding : "").append(cells[index]).append(right || last ? "" : padding);
    }
    text.append('\n');
    sink.passOn();
  }

  private static String escaped(String text) {
    for (int index = 0; index < text.length(); index++) {
      if (Character.isISOControl(text.charAt(index))) {
        StringBuilder quoted = new StringBuilder();
        JsonText.appendString(quoted, text);
        return quoted.substring(1, quoted.length() - 1).replace("\\\"", "\"");
      }
    }
    return text;
  }

  /** Columns on a terminal: wide East Asian characters and emoji take two, combining marks none. */
  private static int width(String text) {
    if (text.chars().allMatch(unit -> unit < 0x300)) {
      return text.length();
    }
    return text.codePoints().map(TableWriter::width).sum();
  }

  private static int width(int codePoint) {
    int kind = Character.getType(codePoint);
    if (kind == Character.NON_SPACING_MARK || kind == Character.ENCLOSING_MARK) {
      return 0;
    }
    return Arrays.stream(WIDE_RANGES)
            .anyMatch(range -> codePoint >= range[0] && codePoint <= range[1])
        ? 2
        : 1;
  }

  /** Blocks of Unicode that terminals show two columns wide (East Asian Width W and F). */
  private static final int[][] WIDE_RANGES = {
    {0x1100, 0x115f},
    {0x2e80, 0xa4cf},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x1f300, 0x1faff},
    {0x20000, 0x3fffd},
  };
}
