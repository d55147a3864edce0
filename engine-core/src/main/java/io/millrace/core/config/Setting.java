package io.millrace.core.config;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.Locale;
import java.util.function.Function;

/**
 * One setting.
 *
 * @param name dotted, lower case, the unit last
 * @param description one sentence
 * @param range allowed values in words
 * @param defaultText default in the text form that users write
 * @param parser from that form; throws IllegalArgumentException when out of range
 */
public record Setting<T>(
    String name, String description, String range, String defaultText, Function<String, T> parser) {

  /**
   * @throws MillraceException INVALID_OPTION_VALUE naming the setting and its range
   */
  public T parse(String text) {
    try {
      return parser.apply(text.trim());
    } catch (IllegalArgumentException problem) {
      throw new MillraceException(
          ErrorCode.INVALID_OPTION_VALUE,
          "The value is out of the setting's range (" + range + "): " + name + " = '" + text + "'",
          problem);
    }
  }

  public T defaultValue() {
    return parse(defaultText);
  }

  static Setting<Integer> integer(
      String name, String description, int minimum, int maximum, int defaultValue) {
    return new Setting<>(
        name,
        description,
        minimum + " to " + maximum,
        String.valueOf(defaultValue),
        text -> {
          int value = Integer.parseInt(text);
          if (value < minimum || value > maximum) {
            throw new IllegalArgumentException(text);
          }
          return value;
        });
  }

  static Setting<Boolean> flag(String name, String description, boolean defaultValue) {
    return new Setting<>(
        name,
        description,
        "true or false",
        String.valueOf(defaultValue),
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException(text);
            });
  }

  static Setting<Long> bytes(
      String name, String description, long minimum, long maximum, String defaultText) {
    return new Setting<>(
        name,
        description,
        ByteSize.format(minimum) + " to " + ByteSize.format(maximum),
        defaultText,
        text -> {
          long value = ByteSize.parse(text);
          if (value < minimum || value > maximum) {
            throw new IllegalArgumentException(text);
          }
          return value;
        });
  }

  static Setting<String> text(String name, String description, String range, String defaultValue) {
    return new Setting<>(name, description, range, defaultValue, Function.identity());
  }
}
