package io.millrace.exec.format.csv;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Finds the fields of records (RFC 4180, with line feeds or carriage returns and line feeds as line
 * ends). A quote opens a quoted field only at the field's start; elsewhere it is a character like
 * any other. Not thread-safe.
 */
final class CsvScanner {
  /** A field between quotes that holds no escaped character. */
  static final byte QUOTED = 1;

  /** A field between quotes that holds escaped characters. */
  static final byte ESCAPED = 2;

  /** What {@link #record} gives when the record goes on beyond the bytes. */
  static final int INCOMPLETE = -1;

  private final CsvDialect dialect;
  private int[] starts = new int[64];
  private int[] ends = new int[64];
  private byte[] kinds = new byte[64];
  private int fieldCount;
  private String fault;

  CsvScanner(CsvDialect dialect) {
    this.dialect = dialect;
  }

  /** Fields since the last {@link #clear}. */
  int fieldCount() {
    return fieldCount;
  }

  int start(int field) {
    return starts[field];
  }

  int end(int field) {
    return ends[field];
  }

  /** 0 for a field without quotes, {@link #QUOTED} or {@link #ESCAPED}. */
  byte kind(int field) {
    return kinds[field];
  }

  /** Why the last record cannot be read; null when it can. */
  String fault() {
    return fault;
  }

  void clear() {
    fieldCount = 0;
    fault = null;
  }

  /** Forgets fields from this one on. */
  void truncate(int fields) {
    fieldCount = fields;
  }

  /**
   * Adds the fields of the record at a position.
   *
   * @param last whether the bytes end the file
   * @return where the next record starts; {@link #INCOMPLETE}, with no field added, when it does
   *     not end here. With a fault, the position is anywhere
   */
  int record(byte[] bytes, int from, int to, boolean last) {
    int before = fieldCount;
    byte delimiter = dialect.delimiter();
    int at = from;
    while (true) {
      int start = at;
      if (at < to && bytes[at] == dialect.quote()) {
        at = quoted(bytes, at + 1, to, last);
        if (at == INCOMPLETE) {
          fieldCount = before;
          return INCOMPLETE;
        }
        if (fault != null) {
          return at;
        }
      } else {
        while (at < to && bytes[at] != delimiter && bytes[at] != '\n') {
          at++;
        }
        add(start, at, (byte) 0);
      }
      if (at >= to) {
        if (!last) {
          fieldCount = before;
          return INCOMPLETE;
        }
        return to;
      }
      if (bytes[at] == '\n') {
        stripReturn(bytes, start);
        return at + 1;
      }
      at++;
    }
  }

  private void stripReturn(byte[] bytes, int start) {
    int field = fieldCount - 1;
    if (kinds[field] == 0 && ends[field] > start && bytes[ends[field] - 1] == '\r') {
      ends[field]--;
    }
  }

  /**
   * Adds a quoted field.
   *
   * @param from position after the opening quote
   * @return position of the delimiter or line feed after it, or the end
   */
  private int quoted(byte[] bytes, int from, int to, boolean last) {
    int quote = dialect.quote();
    int escape = dialect.escape();
    byte kind = QUOTED;
    int at = from;
    while (true) {
      while (at < to && bytes[at] != quote && bytes[at] != escape) {
        at++;
      }
      if (at >= to) {
        fault = last ? "A quoted field does not end; close the quote." : null;
        return last ? to : INCOMPLETE;
      }
      boolean atEnd = at + 1 >= to;
      if (atEnd && !last) {
        return INCOMPLETE;
      }
      if (bytes[at] == escape && !atEnd && (escape != quote || bytes[at + 1] == quote)) {
        kind = ESCAPED;
        at += 2;
        continue;
      }
      if (bytes[at] == quote) {
        break;
      }
      at++;
    }
    add(from, at, kind);
    at++;
    if (at < to && bytes[at] == '\r') {
      if (at + 1 >= to && !last) {
        return INCOMPLETE;
      }
      at += at + 1 >= to || bytes[at + 1] == '\n' ? 1 : 0;
    }
    if (at < to && bytes[at] != dialect.delimiter() && bytes[at] != '\n') {
      fault = "A quoted field goes on after its closing quote; double the quotes inside of it.";
    }
    return at;
  }

  private void add(int start, int end, byte kind) {
    if (fieldCount == starts.length) {
      starts = Arrays.copyOf(starts, 2 * fieldCount);
      ends = Arrays.copyOf(ends, 2 * fieldCount);
      kinds = Arrays.copyOf(kinds, 2 * fieldCount);
    }
    starts[fieldCount] = start;
    ends[fieldCount] = end;
    kinds[fieldCount] = kind;
    fieldCount++;
  }

  /** The bytes of an {@link #ESCAPED} field without its escapes. */
  byte[] unescaped(byte[] bytes, int field) {
    ByteArrayOutputStream text = new ByteArrayOutputStream(ends[field] - starts[field]);
    for (int at = starts[field]; at < ends[field]; at++) {
      if (bytes[at] == dialect.escape()) {
        at++;
      }
      text.write(bytes[at]);
    }
    return text.toByteArray();
  }

  /** Whether a record is an empty line, which is no record where there are several columns. */
  boolean isEmptyLine(int firstField) {
    return fieldCount == firstField + 1
        && kinds[firstField] == 0
        && starts[firstField] == ends[firstField];
  }
}
