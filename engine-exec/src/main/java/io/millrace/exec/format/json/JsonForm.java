package io.millrace.exec.format.json;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.util.Locale;

/** How the objects of a file are told apart. */
enum JsonForm {
  /** One object a line. */
  LINES,
  /** The elements of one array. */
  ARRAY,
  /** Objects one after the other, with line ends anywhere. */
  OBJECTS;

  /**
   * @throws MillraceException INVALID_OPTION_VALUE
   */
  static JsonForm named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "newline_delimited", "nd", "lines" -> LINES;
      case "array" -> ARRAY;
      case "unstructured", "objects" -> OBJECTS;
      default ->
          throw new MillraceException(
              ErrorCode.INVALID_OPTION_VALUE,
              "Option format takes auto, newline_delimited, array or unstructured: '" + name + "'");
    };
  }

  /** The form that a file's first bytes have. */
  static JsonForm of(byte[] head, int from) {
    int at = from;
    while (at < head.length && " \t\r\n".indexOf(head[at]) >= 0) {
      at++;
    }
    if (at < head.length && head[at] == '[') {
      return ARRAY;
    }
    int end = JsonLines.lineEnd(head, at, head.length);
    // An object that goes on after its first line, and is not just damaged.
    ElementRecords objects = new ElementRecords(false);
    byte[] first = java.util.Arrays.copyOfRange(head, at, head.length);
    objects.accept(first, first.length, false);
    try {
      return objects.next() && objects.end() > end - at && isObject(objects) ? OBJECTS : LINES;
    } catch (IOException damaged) {
      return LINES;
    }
  }

  private static boolean isObject(ElementRecords records) {
    try (var parser = JsonLines.parser(records.bytes(), records.start(), records.end())) {
      parser.skipChildren();
      return true;
    } catch (IOException damaged) {
      return false;
    }
  }

  JsonRecords records() {
    return this == LINES ? new LineRecords() : new ElementRecords(this == ARRAY);
  }
}
