package io.millrace.exec.format.text;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads options as the user wrote them. */
public final class TextOptions {
  private final Map<String, String> options;

  public TextOptions(Map<String, String> options) {
    this.options = options;
  }

  /** The first of these names that is set. */
  public Optional<String> text(String... names) {
    for (String name : names) {
      if (options.containsKey(name)) {
        return Optional.of(options.get(name));
      }
    }
    return Optional.empty();
  }

  /**
   * @throws MillraceException INVALID_OPTION_VALUE for another word
   */
  public boolean flag(String name, boolean otherwise) {
    String value = options.getOrDefault(name, String.valueOf(otherwise));
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "1", "on", "yes" -> true;
      case "false", "0", "off", "no" -> false;
      default -> throw invalid(name, "true or false", value);
    };
  }

  /** One ASCII character; {@code \t} and {@code tab} stand for a tab. */
  public Optional<Byte> character(String... names) {
    Optional<String> value = text(names);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    String text = value.get();
    if (text.equals("\\t") || text.equalsIgnoreCase("tab")) {
      text = "\t";
    }
    if (text.length() != 1 || text.charAt(0) > 0x7F || text.charAt(0) == '\n') {
      throw invalid(names[0], "one ASCII character", value.get());
    }
    return Optional.of((byte) text.charAt(0));
  }

  /** A count; −1 stands for all. */
  public long count(long otherwise, String... names) {
    Optional<String> value = text(names);
    try {
      long count = value.map(Long::parseLong).orElse(otherwise);
      if (count == 0 || count < -1) {
        throw invalid(names[0], "a positive number, or -1 for all", value.get());
      }
      return count < 0 ? Long.MAX_VALUE : count;
    } catch (NumberFormatException none) {
      throw invalid(names[0], "a positive number, or -1 for all", value.get());
    }
  }

  /**
   * Columns with their types, as in {@code id int64, price decimal(15, 2)}; colons may stand
   * between name and type, double quotes around a name.
   */
  public Map<String, DataType> types(String... names) {
    Map<String, DataType> types = new LinkedHashMap<>();
    for (String part : parts(text(names).orElse(""))) {
      String entry = part.strip();
      int end;
      String column;
      if (entry.startsWith("\"")) {
        end = entry.indexOf('"', 1) + 1;
        column = end > 1 ? entry.substring(1, end - 1) : "";
      } else {
        end = 0;
        while (end < entry.length() && " :\t\n".indexOf(entry.charAt(end)) < 0) {
          end++;
        }
        column = entry.substring(0, end);
      }
      String type = entry.substring(Math.max(0, end)).strip();
      if (column.isEmpty() || type.isEmpty()) {
        throw invalid(names[0], "columns with types such as 'id int64, day date'", part);
      }
      types.put(column, TypeParser.parse(type.startsWith(":") ? type.substring(1).strip() : type));
    }
    return types;
  }

  /** The parts between commas that stand in no bracket. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int index = 0; index < text.length(); index++) {
      char character = text.charAt(index);
      depth += "(<[".indexOf(character) >= 0 ? 1 : ")>]".indexOf(character) >= 0 ? -1 : 0;
      if (character == ',' && depth == 0) {
        parts.add(text.substring(start, index));
        start = index + 1;
      }
    }
    if (!text.substring(start).isBlank()) {
      parts.add(text.substring(start));
    }
    return parts;
  }

  private static MillraceException invalid(String name, String expected, String value) {
    return new MillraceException(
        ErrorCode.INVALID_OPTION_VALUE,
        "Option " + name + " takes " + expected + ": '" + value + "'");
  }
}
