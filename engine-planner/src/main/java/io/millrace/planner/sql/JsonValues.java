package io.millrace.planner.sql;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Parsed JSON as a value of a type, of the class that {@code ColumnVector.valueAt} gives: numbers
 * for numbers (NaN and infinities as strings), ISO 8601 strings for times, base64 for bytes, arrays
 * for lists and embeddings, objects for structs.
 */
final class JsonValues {
  private JsonValues() {}

  /**
   * The value; null for JSON's null.
   *
   * @throws IllegalArgumentException when the JSON value is not one of the type
   */
  static Object read(Object json, DataType type) {
    if (json == null) {
      return null;
    }
    try {
      return switch (type) {
        case DataType.Bool unused -> as(Boolean.class, json);
        case DataType.Int integer -> integer(integer, number(json).toBigIntegerExact());
        case DataType.Float number -> floating(number.bits(), json);
        case DataType.Decimal decimal ->
            fitting(number(json).setScale(decimal.scale(), RoundingMode.UNNECESSARY), decimal);
        case DataType.Date unused -> LocalDate.parse(as(String.class, json));
        case DataType.Time unused -> LocalTime.parse(as(String.class, json));
        case DataType.Timestamp timestamp ->
            timestamp.zone().isPresent()
                ? (Object) instant(as(String.class, json))
                : localDateTime(as(String.class, json));
        case DataType.Text unused -> as(String.class, json);
        case DataType.Binary unused -> Base64.getDecoder().decode(as(String.class, json));
        case DataType.Uuid unused -> UUID.fromString(as(String.class, json));
        case DataType.ListOf list -> elements(json, list.element().type());
        case DataType.FixedList list ->
            counted(elements(json, list.element().type()), list.length());
        case DataType.Embedding embedding -> embedding(json, embedding);
        case DataType.Struct struct -> struct(json, struct);
        default -> throw new IllegalArgumentException("a parameter cannot be of this type");
      };
    } catch (ArithmeticException | DateTimeParseException failure) {
      throw new IllegalArgumentException(failure.getMessage(), failure);
    }
  }

  /** The type that a JSON value has by itself. */
  static DataType naturalType(Object json) {
    return switch (json) {
      case null -> DataType.NULL;
      case Boolean unused -> DataType.BOOLEAN;
      case BigDecimal number -> naturalType(number);
      case String unused -> DataType.STRING;
      case List<?> list -> {
        DataType element =
            io.millrace.core.type.TypeCoercion.commonType(
                    list.stream().map(JsonValues::naturalType).toList())
                .orElse(DataType.NULL);
        yield DataType.list(element);
      }
      case Map<?, ?> map ->
          new DataType.Struct(
              map.entrySet().stream()
                  .map(
                      entry ->
                          Field.nullable((String) entry.getKey(), naturalType(entry.getValue())))
                  .toList());
      default -> throw new IllegalStateException("Not parsed JSON: " + json.getClass());
    };
  }

  private static DataType naturalType(BigDecimal number) {
    if (number.scale() <= 0 && number.precision() - number.scale() <= 18) {
      return number.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0
          ? DataType.INT32
          : DataType.INT64;
    }
    int scale = Math.max(0, number.scale());
    int precision = Math.max(number.precision() - number.scale() + scale, scale);
    return precision <= DataType.Decimal.PRECISION_LIMIT
        ? DataType.decimal(Math.max(1, precision), scale)
        : DataType.FLOAT64;
  }

  private static <T> T as(Class<T> wanted, Object json) {
    if (!wanted.isInstance(json)) {
      throw new IllegalArgumentException("another kind of JSON value");
    }
    return wanted.cast(json);
  }

  private static BigDecimal number(Object json) {
    return as(BigDecimal.class, json);
  }

  private static Object integer(DataType.Int type, BigInteger value) {
    int bits = type.signed() ? type.bits() : type.bits() * 2;
    boolean outside =
        type.signed()
            ? value.bitLength() >= type.bits()
            : value.signum() < 0 || value.bitLength() > type.bits();
    if (outside) {
      throw new IllegalArgumentException("out of range");
    }
    return switch (bits) {
      case 8 -> value.byteValueExact();
      case 16 -> value.shortValueExact();
      case 32 -> value.intValueExact();
      case 64 -> value.longValueExact();
      default -> value;
    };
  }

  private static Object floating(int bits, Object json) {
    double value =
        json instanceof String text
            ? switch (text) {
              case "NaN" -> Double.NaN;
              case "Infinity" -> Double.POSITIVE_INFINITY;
              case "-Infinity" -> Double.NEGATIVE_INFINITY;
              default -> throw new IllegalArgumentException("another kind of JSON value");
            }
            : number(json).doubleValue();
    return bits == 64 ? (Object) value : (Object) (float) value;
  }

  private static BigDecimal fitting(BigDecimal value, DataType.Decimal type) {
    if (value.precision() > type.precision()) {
      throw new IllegalArgumentException("out of range");
    }
    return value;
  }

  private static LocalDateTime localDateTime(String text) {
    String iso = text.replace(' ', 'T');
    return iso.indexOf('T') < 0 ? LocalDate.parse(iso).atStartOfDay() : LocalDateTime.parse(iso);
  }

  private static Instant instant(String text) {
    return OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
  }

  private static List<Object> elements(Object json, DataType element) {
    List<Object> values = new ArrayList<>();
    for (Object value : as(List.class, json)) {
      values.add(read(value, element));
    }
    return values;
  }

  private static List<Object> counted(List<Object> values, int length) {
    if (values.size() != length) {
      throw new IllegalArgumentException("has " + values.size() + " elements, not " + length);
    }
    return values;
  }

  private static Object embedding(Object json, DataType.Embedding type) {
    List<Object> values = counted(elements(json, DataType.FLOAT64), type.length());
    if (values.contains(null)) {
      throw new IllegalArgumentException("an element is null");
    }
    return switch (type.element()) {
      case DataType.Float number when number.bits() == 64 ->
          values.stream().mapToDouble(value -> (Double) value).toArray();
      case DataType.Float number -> {
        float[] elements = new float[values.size()];
        for (int index = 0; index < elements.length; index++) {
          elements[index] = ((Double) values.get(index)).floatValue();
        }
        yield elements;
      }
      default -> throw new IllegalArgumentException("a parameter cannot be of this type");
    };
  }

  private static Map<String, Object> struct(Object json, DataType.Struct type) {
    Map<?, ?> given = as(Map.class, json);
    Map<String, Object> members = new LinkedHashMap<>();
    for (Field field : type.fields()) {
      members.put(field.name(), read(given.get(field.name()), field.type()));
    }
    return members;
  }
}
