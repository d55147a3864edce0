package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.type.DataType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The values of a statement's parameters: JSON text, typed where the parameter is used. */
final class ParameterValues {
  private final Map<String, String> texts;
  private final Map<String, Object> parsed = new HashMap<>();

  ParameterValues(Map<String, String> texts) {
    this.texts = Map.copyOf(texts);
  }

  /**
   * @throws MillraceException MISSING_PARAMETER, or INVALID_ARGUMENT when the text is no JSON
   */
  private Object json(String name) {
    String text = texts.get(name);
    if (text == null) {
      throw new MillraceException(
          ErrorCode.MISSING_PARAMETER,
          "A parameter has no value; give it with --param "
              + name
              + "=JSON: :"
              + name
              + NearestNames.hint(name, texts.keySet()));
    }
    return parsed.computeIfAbsent(
        name,
        unused -> {
          try {
            // Optional, because a map does not remember null
            return Optional.ofNullable(JsonText.parse(text));
          } catch (IllegalArgumentException failure) {
            throw new MillraceException(
                ErrorCode.INVALID_ARGUMENT,
                "A parameter's value is not JSON ("
                    + failure.getMessage()
                    + "); write texts in double quotes: "
                    + name
                    + "="
                    + text,
                failure);
          }
        });
  }

  /** The type of the value by itself. */
  DataType naturalType(String name) {
    return JsonValues.naturalType(((Optional<?>) json(name)).orElse(null));
  }

  /** Whether the value is one of this type. */
  boolean fits(String name, DataType type) {
    try {
      JsonValues.read(((Optional<?>) json(name)).orElse(null), type);
      return true;
    } catch (IllegalArgumentException failure) {
      return false;
    }
  }

  /**
   * The value as the type; null for NULL.
   *
   * @throws MillraceException TYPE_MISMATCH
   */
  Object value(String name, DataType type) {
    try {
      return JsonValues.read(((Optional<?>) json(name)).orElse(null), type);
    } catch (IllegalArgumentException failure) {
      throw new MillraceException(
          ErrorCode.TYPE_MISMATCH,
          "A parameter's value is not of the type that its place asks for ("
              + failure.getMessage()
              + "): :"
              + name
              + " as "
              + type,
          failure);
    }
  }
}
