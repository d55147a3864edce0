package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/** Java values as the JSON text that parameters of statements are given in. */
final class ParameterJson {
  private ParameterJson() {}

  static String of(Object value) {
    return switch (value) {
      case null -> "null";
      case Boolean truth -> truth.toString();
      case Double number when !Double.isFinite(number) -> quoted(number.toString());
      case Float number when !Float.isFinite(number) -> quoted(number.toString());
      case Number number -> number.toString();
      case List<?> list ->
          "[" + String.join(",", list.stream().map(ParameterJson::of).toList()) + "]";
      case CharSequence text -> quoted(text.toString());
      default -> value.getClass().isArray() ? array(value) : other(value);
    };
  }

  private static String array(Object array) {
    List<String> elements = new ArrayList<>();
    for (int index = 0; index < Array.getLength(array); index++) {
      elements.add(of(Array.get(array, index)));
    }
    return "[" + String.join(",", elements) + "]";
  }

  /** Dates and times are text in ISO 8601, which their Java classes print. */
  private static String other(Object value) {
    if (value instanceof java.time.temporal.Temporal || value instanceof java.util.UUID) {
      return quoted(value.toString());
    }
    throw new MillraceException(
        ErrorCode.INVALID_ARGUMENT,
        "A parameter is a number, text, boolean, date, time or a list of them, not "
            + value.getClass().getName());
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (char letter : text.toCharArray()) {
      switch (letter) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        default -> {
          if (letter < ' ') {
            json.append(String.format("\\u%04x", (int) letter));
          } else {
            json.append(letter);
          }
        }
      }
    }
    return json.append('"').toString();
  }
}
