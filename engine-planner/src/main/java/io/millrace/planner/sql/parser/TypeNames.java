package io.millrace.planner.sql.parser;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.FileKind;
import io.millrace.core.type.ImageMode;
import io.millrace.core.type.TimeUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The spellings of types: the text form of every DataType, and the usual SQL names. */
final class TypeNames {
  private static final int DECIMAL_DEFAULT_PRECISION = 18;
  private static final int DECIMAL_DEFAULT_SCALE = 3;
  private static final String UTC = "UTC";

  /** Names without arguments. */
  private static final Map<String, DataType> SIMPLE =
      Map.ofEntries(
          Map.entry("NULL", DataType.NULL),
          Map.entry("BOOLEAN", DataType.BOOLEAN),
          Map.entry("BOOL", DataType.BOOLEAN),
          Map.entry("INT8", DataType.INT8),
          Map.entry("TINYINT", DataType.INT8),
          Map.entry("INT16", DataType.INT16),
          Map.entry("SMALLINT", DataType.INT16),
          Map.entry("INT32", DataType.INT32),
          Map.entry("INT", DataType.INT32),
          Map.entry("INTEGER", DataType.INT32),
          Map.entry("INT64", DataType.INT64),
          Map.entry("BIGINT", DataType.INT64),
          Map.entry("UINT8", DataType.UINT8),
          Map.entry("UTINYINT", DataType.UINT8),
          Map.entry("TINYINT UNSIGNED", DataType.UINT8),
          Map.entry("UINT16", DataType.UINT16),
          Map.entry("USMALLINT", DataType.UINT16),
          Map.entry("SMALLINT UNSIGNED", DataType.UINT16),
          Map.entry("UINT32", DataType.UINT32),
          Map.entry("UINTEGER", DataType.UINT32),
          Map.entry("INT UNSIGNED", DataType.UINT32),
          Map.entry("INTEGER UNSIGNED", DataType.UINT32),
          Map.entry("UINT64", DataType.UINT64),
          Map.entry("UBIGINT", DataType.UINT64),
          Map.entry("BIGINT UNSIGNED", DataType.UINT64),
          Map.entry("FLOAT16", DataType.FLOAT16),
          Map.entry("FLOAT32", DataType.FLOAT32),
          Map.entry("FLOAT", DataType.FLOAT32),
          Map.entry("REAL", DataType.FLOAT32),
          Map.entry("FLOAT64", DataType.FLOAT64),
          Map.entry("DOUBLE", DataType.FLOAT64),
          Map.entry("DOUBLE PRECISION", DataType.FLOAT64),
          Map.entry("DATE", DataType.DATE),
          Map.entry("INTERVAL", DataType.INTERVAL),
          Map.entry("BLOB", DataType.BINARY),
          Map.entry("BYTEA", DataType.BINARY),
          Map.entry("UUID", DataType.UUID));

  private static final Set<String> TEXT =
      Set.of("STRING", "TEXT", "VARCHAR", "CHAR", "CHARACTER", "CHARACTER VARYING", "CHAR VARYING");
  private static final Set<String> DECIMAL = Set.of("DECIMAL", "DEC", "NUMERIC");
  private static final Set<String> BYTES = Set.of("VARBINARY", "BINARY VARYING");
  private static final Set<String> NESTED =
      Set.of("LIST", "ARRAY", "STRUCT", "ROW", "MAP", "TENSOR", "SPARSE_TENSOR", "EMBEDDING");
  private static final Set<String> OTHER =
      Set.of("BINARY", "TIME", "TIMESTAMP", "TIMESTAMPTZ", "DURATION", "IMAGE", "FILE");

  private TypeNames() {}

  static boolean takesTypes(String name) {
    return NESTED.contains(name);
  }

  static boolean takesMembers(String name) {
    return name.equals("STRUCT") || name.equals("ROW");
  }

  /** The type; refuses an unknown name with the nearest ones, and arguments that do not fit. */
  static DataType resolve(String name, List<TypeArgument> arguments, SqlParserPos position) {
    try {
      DataType simple = SIMPLE.get(name);
      if (simple != null && arguments.isEmpty()) {
        return simple;
      }
      return parameterized(name, arguments);
    } catch (IllegalArgumentException failure) {
      throw SqlError.at(
          ErrorCode.UNSUPPORTED_TYPE, position, failure.getMessage() + " in type " + name, failure);
    } catch (MillraceException unknown) {
      throw SqlError.at(unknown.code(), position, unknown.getMessage());
    }
  }

  private static DataType parameterized(String name, List<TypeArgument> arguments) {
    Arguments given = new Arguments(arguments);
    if (TEXT.contains(name)) {
      // a length is accepted and means nothing: text is never padded nor cut
      given.atMost(1);
      return DataType.STRING;
    }
    if (BYTES.contains(name)) {
      given.atMost(1);
      return DataType.BINARY;
    }
    if (DECIMAL.contains(name)) {
      given.atMost(2);
      return arguments.isEmpty()
          ? DataType.decimal(DECIMAL_DEFAULT_PRECISION, DECIMAL_DEFAULT_SCALE)
          : DataType.decimal(given.number(0), arguments.size() > 1 ? given.number(1) : 0);
    }
    return switch (name) {
      case "BINARY" ->
          arguments.isEmpty() ? DataType.BINARY : new DataType.FixedBinary(given.number(0));
      case "TIME" -> new DataType.Time(given.unit(0));
      case "TIMESTAMP" ->
          new DataType.Timestamp(
              given.unit(0), arguments.size() > 1 ? Optional.of(given.word(1)) : Optional.empty());
      case "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE" -> DataType.timestamp(given.unit(0), UTC);
      case "DURATION" -> new DataType.Duration(given.unit(0));
      case "LIST", "ARRAY" ->
          arguments.size() == 1
              ? DataType.list(given.type(0))
              : DataType.fixedList(given.type(0), given.number(1));
      case "STRUCT", "ROW" -> new DataType.Struct(given.fields());
      case "MAP" -> DataType.map(given.type(0), given.type(1));
      case "IMAGE" -> image(arguments, given);
      case "TENSOR" ->
          arguments.size() == 1
              ? new DataType.Tensor(given.type(0), OptionalInt.empty())
              : new DataType.FixedShapeTensor(given.type(0), given.numbersFrom(1));
      case "SPARSE_TENSOR" -> new DataType.SparseTensor(given.type(0));
      case "EMBEDDING" -> DataType.embedding(given.type(0), given.number(1));
      case "FILE" ->
          new DataType.File(
              arguments.isEmpty()
                  ? FileKind.ANY
                  : FileKind.valueOf(given.word(0).toUpperCase(Locale.ROOT)));
      default -> throw unknown(name);
    };
  }

  private static DataType image(List<TypeArgument> arguments, Arguments given) {
    return switch (arguments.size()) {
      case 0 -> new DataType.Image(Optional.empty());
      case 1 -> new DataType.Image(Optional.of(ImageMode.valueOf(given.word(0))));
      default ->
          new DataType.FixedShapeImage(
              ImageMode.valueOf(given.word(0)), given.number(1), given.number(2));
    };
  }

  private static MillraceException unknown(String name) {
    if (name.equalsIgnoreCase("geometry")) {
      return new MillraceException(
          ErrorCode.EXCLUDED_SQL, "This part of SQL is left out of Millrace: the type GEOMETRY");
    }
    Set<String> names = new TreeSet<>(SIMPLE.keySet());
    names.addAll(TEXT);
    names.addAll(DECIMAL);
    names.addAll(BYTES);
    names.addAll(NESTED);
    names.addAll(OTHER);
    return new MillraceException(
        ErrorCode.UNSUPPORTED_TYPE,
        "Unknown type '"
            + name.toLowerCase(Locale.ROOT)
            + "'"
            + NearestNames.hint(name, names).toLowerCase(Locale.ROOT));
  }

  /** Reads the arguments by position; what is missing or of another kind is refused. */
  private record Arguments(List<TypeArgument> values) {
    private void atMost(int limit) {
      if (values.size() > limit) {
        throw new IllegalArgumentException("Too many arguments");
      }
    }

    private TypeArgument at(int index) {
      if (index >= values.size()) {
        throw new IllegalArgumentException("Argument " + (index + 1) + " is missing");
      }
      return values.get(index);
    }

    private int number(int index) {
      if (at(index) instanceof TypeArgument.Number(int value)) {
        return value;
      }
      throw new IllegalArgumentException("Argument " + (index + 1) + " is a number");
    }

    private List<Integer> numbersFrom(int first) {
      return java.util.stream.IntStream.range(first, values.size()).mapToObj(this::number).toList();
    }

    private String word(int index) {
      if (at(index) instanceof TypeArgument.Word(String text)) {
        return text;
      }
      throw new IllegalArgumentException("Argument " + (index + 1) + " is a word in quotes");
    }

    private DataType type(int index) {
      if (at(index) instanceof TypeArgument.Type(DataType type)) {
        return type;
      }
      throw new IllegalArgumentException("Argument " + (index + 1) + " is a type");
    }

    private List<Field> fields() {
      return values.stream()
          .map(
              value -> {
                if (value instanceof TypeArgument.Member(Field field)) {
                  return field;
                }
                throw new IllegalArgumentException("Members are a name and a type");
              })
          .toList();
    }

    /** Microseconds unless a precision is given. */
    private TimeUnit unit(int index) {
      return values.size() > index ? TimeUnit.ofDigits(number(index)) : TimeUnit.MICROSECOND;
    }
  }
}
