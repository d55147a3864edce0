package io.millrace.planner.rex;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A text of a Java value that differs when the value does. */
public final class ValueText {
  private ValueText() {}

  public static String of(Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> "'" + text.replace("'", "''") + "'";
      case byte[] bytes -> "x'" + HexFormat.of().formatHex(bytes) + "'";
      case List<?> list ->
          list.stream().map(ValueText::of).collect(Collectors.joining(", ", "[", "]"));
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> of(entry.getKey()) + ": " + of(entry.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      default -> value.getClass().isArray() ? of(elements(value)) : value.toString();
    };
  }

  private static List<Object> elements(Object array) {
    List<Object> elements = new ArrayList<>();
    for (int index = 0; index < Array.getLength(array); index++) {
      elements.add(Array.get(array, index));
    }
    return elements;
  }
}
