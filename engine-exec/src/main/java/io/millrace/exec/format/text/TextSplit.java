package io.millrace.exec.format.text;

import io.millrace.core.spi.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whole records of one file: the byte range starts and ends where records do, so that each row is
 * read once.
 *
 * @param file position among the source's uris
 * @param from offset of the first byte, after decompression
 * @param to offset after the last byte; {@link Long#MAX_VALUE} for the end of the file
 * @param columns for each table column its position in this file's records; empty when they are the
 *     same, −1 for one that it lacks
 * @param form what else the format must know of the file, in its own text; without colons
 */
public record TextSplit(int file, long from, long to, List<Integer> columns, String form) {
  public TextSplit {
    columns = List.copyOf(columns);
  }

  static TextSplit of(Split split) {
    String[] parts = split.payload().split(":", -1);
    List<Integer> columns = new ArrayList<>();
    if (!parts[3].isEmpty()) {
      Arrays.stream(parts[3].split(",")).map(Integer::valueOf).forEach(columns::add);
    }
    return new TextSplit(
        Integer.parseInt(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        columns,
        parts[4]);
  }

  String payload() {
    return file
        + ":"
        + from
        + ":"
        + to
        + ":"
        + String.join(",", columns.stream().map(String::valueOf).toList())
        + ":"
        + form;
  }
}
