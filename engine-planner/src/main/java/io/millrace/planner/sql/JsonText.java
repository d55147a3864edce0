package io.millrace.planner.sql;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON value (RFC 8259) into Boolean, BigDecimal, String, List, Map or null. A parser of
 * its own, because parameters are small and a JSON library would cost start-up time.
 */
final class JsonText {
  private static final int DEPTH_LIMIT = 100;

  private final String text;
  private int position;

  private JsonText(String text) {
    this.text = text;
  }

  /**
   * @throws IllegalArgumentException saying what is wrong and where
   */
  static Object parse(String text) {
    JsonText json = new JsonText(text);
    Object value = json.value(0);
    json.blanks();
    if (json.position < text.length()) {
      throw json.wrong("text after the value");
    }
    return value;
  }

  private Object value(int depth) {
    if (depth > DEPTH_LIMIT) {
      throw wrong("too deep nesting");
    }
    blanks();
    if (position >= text.length()) {
      throw wrong("no value");
    }
    return switch (text.charAt(position)) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, Object> object(int depth) {
    Map<String, Object> members = new LinkedHashMap<>();
    position++;
    blanks();
    if (take('}')) {
      return members;
    }
    do {
      blanks();
      if (position >= text.length() || text.charAt(position) != '"') {
        throw wrong("no member name");
      }
      String name = string();
      blanks();
      if (!take(':')) {
        throw wrong("no colon");
      }
      members.put(name, value(depth + 1));
      blanks();
    } while (take(','));
    if (!take('}')) {
      throw wrong("no closing brace");
    }
    return members;
  }

  private List<Object> array(int depth) {
    List<Object> elements = new ArrayList<>();
    position++;
    blanks();
    if (take(']')) {
      return elements;
    }
    do {
      elements.add(value(depth + 1));
      blanks();
    } while (take(','));
    if (!take(']')) {
      throw wrong("no closing bracket");
    }
    return elements;
  }

  private String string() {
    StringBuilder value = new StringBuilder();
    position++;
    while (position < text.length() && text.charAt(position) != '"') {
      char next = text.charAt(position++);
      if (next == '\\') {
        value.append(escape());
      } else if (next < ' ') {
        throw wrong("control character in a string");
      } else {
        value.append(next);
      }
    }
    if (!take('"')) {
      throw wrong("no closing quote");
    }
    return value.toString();
  }

  private char escape() {
    if (position >= text.length()) {
      throw wrong("unfinished escape");
    }
    char kind = text.charAt(position++);
    return switch (kind) {
      case '"', '\\', '/' -> kind;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (position + 4 > text.length()) {
          throw wrong("unfinished escape");
        }
        String digits = text.substring(position, position + 4);
        position += 4;
        try {
          yield (char) Integer.parseInt(digits, 16);
        } catch (NumberFormatException failure) {
          throw wrong("wrong escape");
        }
      }
      default -> throw wrong("wrong escape");
    };
  }

  private BigDecimal number() {
    int start = position;
    while (position < text.length() && "+-.eE0123456789".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    try {
      return new BigDecimal(text.substring(start, position));
    } catch (NumberFormatException failure) {
      position = start;
      throw wrong("not a JSON value");
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, position)) {
      throw wrong("not a JSON value");
    }
    position += word.length();
    return value;
  }

  private boolean take(char expected) {
    boolean found = position < text.length() && text.charAt(position) == expected;
    position += found ? 1 : 0;
    return found;
  }

  private void blanks() {
    while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what + " at character " + (position + 1));
  }
}
