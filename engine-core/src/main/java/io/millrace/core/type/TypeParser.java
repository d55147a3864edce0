package io.millrace.core.type;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads the SQL spelling of a type, as {@link DataType#toString} writes it, with the usual aliases
 * ({@code bigint}, {@code varchar(n)}, {@code double}, …). Nested fields come out nullable, but for
 * map keys; names of struct members may be quoted with double quotes.
 */
public final class TypeParser {
  private static final int DEPTH_LIMIT = 200;

  private final String text;
  private int position;
  private int depth;

  private TypeParser(String text) {
    this.text = text;
  }

  /**
   * The type that the text spells.
   *
   * @throws MillraceException UNSUPPORTED_TYPE naming the place that cannot be read
   */
  public static DataType parse(String text) {
    TypeParser parser = new TypeParser(text);
    try {
      DataType type = parser.type();
      parser.skipSpace();
      if (parser.position < text.length()) {
        throw new IllegalArgumentException("expected the end");
      }
      return type;
    } catch (IllegalArgumentException invalid) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_TYPE,
          "Unknown type: '" + text + "' at " + (parser.position + 1) + ": " + invalid.getMessage());
    }
  }

  private DataType type() {
    if (++depth > DEPTH_LIMIT) {
      throw new IllegalArgumentException("nested deeper than " + DEPTH_LIMIT);
    }
    DataType type = named(name().toLowerCase(Locale.ROOT));
    while (accept('[')) {
      Optional<Integer> length = peek() == ']' ? Optional.empty() : Optional.of(integer());
      expect(']');
      DataType element = type;
      type =
          length
              .map(size -> (DataType) DataType.fixedList(element, size))
              .orElseGet(() -> DataType.list(element));
    }
    depth--;
    return type;
  }

  private DataType named(String name) {
    return switch (name) {
      case "null" -> DataType.NULL;
      case "boolean", "bool" -> DataType.BOOLEAN;
      case "int8", "tinyint" -> DataType.INT8;
      case "int16", "smallint" -> DataType.INT16;
      case "int32", "int", "integer" -> DataType.INT32;
      case "int64", "bigint", "long" -> DataType.INT64;
      case "uint8", "utinyint" -> DataType.UINT8;
      case "uint16", "usmallint" -> DataType.UINT16;
      case "uint32", "uinteger" -> DataType.UINT32;
      case "uint64", "ubigint" -> DataType.UINT64;
      case "float16", "half" -> DataType.FLOAT16;
      case "float32", "real", "float" -> DataType.FLOAT32;
      case "float64", "double" -> {
        acceptWord("precision");
        yield DataType.FLOAT64;
      }
      case "decimal", "numeric" -> decimal();
      case "date" -> DataType.DATE;
      case "time" -> new DataType.Time(unit());
      case "timestamp" -> timestamp();
      case "duration" -> new DataType.Duration(unit());
      case "interval" -> DataType.INTERVAL;
      case "string", "varchar", "text", "char" -> {
        if (accept('(')) {
          integer();
          expect(')');
        }
        yield DataType.STRING;
      }
      case "binary", "varbinary", "blob", "bytes" -> binary(name);
      case "uuid" -> DataType.UUID;
      default -> nested(name);
    };
  }

  private DataType nested(String name) {
    return switch (name) {
      case "list", "array" -> {
        expect('<');
        DataType element = type();
        DataType list =
            accept(',') ? DataType.fixedList(element, integer()) : DataType.list(element);
        expect('>');
        yield list;
      }
      case "struct", "row" -> struct();
      case "map" -> {
        expect('<');
        DataType key = type();
        expect(',');
        DataType value = type();
        expect('>');
        yield DataType.map(key, value);
      }
      case "image" -> image();
      case "tensor" -> tensor();
      case "sparse_tensor" -> {
        expect('<');
        DataType element = type();
        expect('>');
        yield new DataType.SparseTensor(element);
      }
      case "embedding" -> {
        expect('<');
        DataType element = type();
        expect(',');
        int length = integer();
        expect('>');
        yield new DataType.Embedding(element, length);
      }
      case "file" -> {
        if (!accept('(')) {
          yield new DataType.File(FileKind.ANY);
        }
        FileKind kind = FileKind.valueOf(quoted('\'').toUpperCase(Locale.ROOT));
        expect(')');
        yield new DataType.File(kind);
      }
      case "reference" -> {
        expect('(');
        int source = integer();
        expect(',');
        String column = quoted('\'');
        expect(',');
        DataType target = type();
        expect(')');
        yield new DataType.Reference(source, column, target);
      }
      default -> throw new IllegalArgumentException("no type is named '" + name + "'");
    };
  }

  private DataType decimal() {
    if (!accept('(')) {
      return DataType.decimal(18, 3);
    }
    int precision = integer();
    int scale = accept(',') ? integer() : 0;
    expect(')');
    return DataType.decimal(precision, scale);
  }

  private DataType timestamp() {
    TimeUnit unit = TimeUnit.MICROSECOND;
    Optional<String> zone = Optional.empty();
    if (accept('(')) {
      unit = TimeUnit.ofDigits(integer());
      if (accept(',')) {
        zone = Optional.of(quoted('\''));
      }
      expect(')');
    }
    if (acceptWord("with")) {
      acceptWord("local");
      requireWord("time");
      requireWord("zone");
      zone = Optional.of(zone.orElse("UTC"));
    } else if (acceptWord("without")) {
      requireWord("time");
      requireWord("zone");
    }
    return new DataType.Timestamp(unit, zone);
  }

  private TimeUnit unit() {
    if (!accept('(')) {
      return TimeUnit.MICROSECOND;
    }
    TimeUnit unit = TimeUnit.ofDigits(integer());
    expect(')');
    return unit;
  }

  private DataType binary(String name) {
    if (!accept('(')) {
      return DataType.BINARY;
    }
    int width = integer();
    expect(')');
    return name.equals("binary") ? new DataType.FixedBinary(width) : DataType.BINARY;
  }

  private DataType struct() {
    char end = accept('(') ? ')' : '>';
    if (end == '>') {
      expect('<');
    }
    List<Field> fields = new ArrayList<>();
    if (accept(end)) {
      return new DataType.Struct(fields);
    }
    do {
      skipSpace();
      String member = peek() == '"' ? quoted('"') : name();
      accept(':');
      fields.add(Field.nullable(member, type()));
    } while (accept(','));
    expect(end);
    return new DataType.Struct(fields);
  }

  private DataType image() {
    if (!accept('(')) {
      return new DataType.Image(Optional.empty());
    }
    ImageMode mode = ImageMode.valueOf(quoted('\''));
    if (accept(')')) {
      return new DataType.Image(Optional.of(mode));
    }
    expect(',');
    int height = integer();
    expect(',');
    int width = integer();
    expect(')');
    return new DataType.FixedShapeImage(mode, height, width);
  }

  private DataType tensor() {
    expect('<');
    DataType element = type();
    List<Integer> shape = new ArrayList<>();
    while (accept(',')) {
      shape.add(integer());
    }
    expect('>');
    return shape.isEmpty()
        ? new DataType.Tensor(element, OptionalInt.empty())
        : new DataType.FixedShapeTensor(element, shape);
  }

  private void skipSpace() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private char peek() {
    skipSpace();
    return position < text.length() ? text.charAt(position) : 0;
  }

  private boolean accept(char expected) {
    if (peek() != expected) {
      return false;
    }
    position++;
    return true;
  }

  private void expect(char expected) {
    if (!accept(expected)) {
      throw new IllegalArgumentException("expected '" + expected + "'");
    }
  }

  private String name() {
    skipSpace();
    int start = position;
    while (position < text.length()
        && (Character.isLetterOrDigit(text.charAt(position)) || text.charAt(position) == '_')) {
      position++;
    }
    if (start == position) {
      throw new IllegalArgumentException("expected a name");
    }
    return text.substring(start, position);
  }

  private boolean acceptWord(String word) {
    skipSpace();
    int start = position;
    if (Character.isLetter(peek()) && name().equalsIgnoreCase(word)) {
      return true;
    }
    position = start;
    return false;
  }

  private void requireWord(String word) {
    if (!acceptWord(word)) {
      throw new IllegalArgumentException("expected " + word);
    }
  }

  private int integer() {
    skipSpace();
    int start = position;
    while (position < text.length() && Character.isDigit(text.charAt(position))) {
      position++;
    }
    if (start == position) {
      throw new IllegalArgumentException("expected a number");
    }
    return Integer.parseInt(text.substring(start, position));
  }

  private String quoted(char quote) {
    expect(quote);
    StringBuilder content = new StringBuilder();
    while (position < text.length()) {
      char next = text.charAt(position++);
      if (next != quote) {
        content.append(next);
      } else if (position < text.length() && text.charAt(position) == quote) {
        content.append(quote);
        position++;
      } else {
        return content.toString();
      }
    }
    throw new IllegalArgumentException("expected a closing quote");
  }
}
