package io.millrace.planner.dataframe;

import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Rows as a table of text. */
final class RowTable {
  private static final int CELL_LIMIT = 40;
  private static final int SHOWN_BYTES = 8;

  private RowTable() {}

  static String of(List<Row> rows, Schema schema) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(schema.names());
    for (Row row : rows) {
      lines.add(row.values().stream().map(RowTable::cell).toList());
    }
    int[] widths = new int[schema.size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < lines.size(); line++) {
      append(text, lines.get(line), widths);
      if (line == 0) {
        rule(text, widths);
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, List<String> cells, int[] widths) {
    for (int column = 0; column < widths.length; column++) {
      String cell = cells.get(column);
      text.append(column == 0 ? "" : " | ")
          .append(cell)
          .append(" ".repeat(widths[column] - cell.length()));
    }
    text.append('\n');
  }

  private static void rule(StringBuilder text, int[] widths) {
    for (int column = 0; column < widths.length; column++) {
      text.append(column == 0 ? "" : "-+-").append("-".repeat(widths[column]));
    }
    text.append('\n');
  }

  private static String cell(Object value) {
    String text =
        switch (value) {
          case null -> "null";
          case byte[] bytes ->
              bytes.length > SHOWN_BYTES
                  ? bytes.length + " bytes"
                  : HexFormat.of().formatHex(bytes);
          case float[] numbers -> "vector of " + numbers.length;
          case double[] numbers -> "vector of " + numbers.length;
          default -> value.toString();
        };
    return text.length() <= CELL_LIMIT ? text : text.substring(0, CELL_LIMIT - 1) + "…";
  }
}
