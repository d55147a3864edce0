package io.millrace.exec.format.file;

import io.millrace.core.spi.Split;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeParser;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * A format's own split with what is particular to its file.
 *
 * @param constants values of the columns that are constant in the file, as text; null for null
 * @param ownTypes types that columns have in this file where they differ from the table's, and of
 *     columns that the file has although a constant stands for them
 * @param inner the format's own payload
 */
record FileSetSplit(Map<String, String> constants, Map<String, DataType> ownTypes, String inner) {
  /** No format's own payload begins with it. */
  private static final char MARK = '~';

  static boolean isOne(Split split) {
    return !split.payload().isEmpty() && split.payload().charAt(0) == MARK;
  }

  static FileSetSplit of(Split split) {
    String[] parts = split.payload().split(String.valueOf(MARK), 4);
    Map<String, String> constants = new LinkedHashMap<>();
    for (String entry : entries(parts[1])) {
      int equals = entry.indexOf('=');
      if (equals < 0) {
        constants.put(decode(entry), null);
      } else {
        constants.put(decode(entry.substring(0, equals)), decode(entry.substring(equals + 1)));
      }
    }
    Map<String, DataType> types = new LinkedHashMap<>();
    for (String entry : entries(parts[2])) {
      int equals = entry.indexOf('=');
      types.put(
          decode(entry.substring(0, equals)),
          TypeParser.parse(decode(entry.substring(equals + 1))));
    }
    return new FileSetSplit(constants, types, parts[3]);
  }

  private static List<String> entries(String text) {
    return text.isEmpty() ? List.of() : new ArrayList<>(List.of(text.split("&", -1)));
  }

  String payload() {
    StringJoiner values = new StringJoiner("&");
    constants.forEach(
        (name, value) ->
            values.add(value == null ? encode(name) : encode(name) + "=" + encode(value)));
    StringJoiner types = new StringJoiner("&");
    ownTypes.forEach((name, type) -> types.add(encode(name) + "=" + encode(type.toString())));
    return MARK + values.toString() + MARK + types + MARK + inner;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("~", "%7E");
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
