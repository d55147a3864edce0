package io.millrace.testkit.slt;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Rows as text that is equal for equal rows of different engines: numbers by value with floats at
 * 10 significant digits, temporal values in ISO form, lists in brackets.
 */
public final class RowText {
  /** Engines sum floats in different orders. */
  private static final MathContext FLOAT_DIGITS = new MathContext(10, RoundingMode.HALF_EVEN);

  private RowText() {}

  /** A line for each row, sorted unless their order matters. */
  public static List<String> of(List<List<Object>> rows, boolean ordered) {
    List<String> lines =
        new ArrayList<>(
            rows.stream()
                .map(row -> row.stream().map(RowText::value).collect(Collectors.joining("\t")))
                .toList());
    if (!ordered) {
      lines.sort(null);
    }
    return lines;
  }

  private static String value(Object value) {
    return switch (value) {
      case null -> "NULL";
      case Boolean truth -> truth.toString();
      case Float number -> floating(number.doubleValue());
      case Double number -> floating(number);
      case BigDecimal number -> plain(number);
      case BigInteger number -> number.toString();
      case Number number -> number.toString();
      case byte[] bytes -> Base64.getEncoder().encodeToString(bytes);
      case Timestamp time -> dateTime(time.toLocalDateTime());
      case LocalDateTime time -> dateTime(time);
      case OffsetDateTime time ->
          dateTime(time.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime()) + "Z";
      case Instant time -> dateTime(LocalDateTime.ofInstant(time, ZoneOffset.UTC)) + "Z";
      case java.sql.Date date -> date.toLocalDate().toString();
      case List<?> list -> list(list);
      case Map<?, ?> map -> list(new ArrayList<>(map.values()));
      case java.sql.Array array -> array(array);
      case Struct struct -> struct(struct);
      case Object array when array.getClass().isArray() -> primitives(array);
      case java.sql.Blob blob -> blob(blob);
      default -> value.toString();
    };
  }

  private static String floating(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      return String.valueOf(number);
    }
    return plain(new BigDecimal(number).round(FLOAT_DIGITS));
  }

  private static String plain(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.signum() == 0 ? "0" : stripped.toPlainString();
  }

  private static String dateTime(LocalDateTime time) {
    String text = time.toString();
    return text.length() == 16 ? text + ":00" : text;
  }

  private static String list(List<?> list) {
    return list.stream().map(RowText::value).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String primitives(Object array) {
    List<Object> list = new ArrayList<>();
    for (int index = 0; index < Array.getLength(array); index++) {
      list.add(Array.get(array, index));
    }
    return list(list);
  }

  private static String array(java.sql.Array array) {
    try {
      return primitives(array.getArray());
    } catch (SQLException problem) {
      throw new IllegalStateException(problem);
    }
  }

  private static String struct(Struct struct) {
    try {
      return list(List.of(struct.getAttributes()));
    } catch (SQLException problem) {
      throw new IllegalStateException(problem);
    }
  }

  private static String blob(java.sql.Blob blob) {
    try {
      return value(blob.getBytes(1, (int) blob.length()));
    } catch (SQLException problem) {
      throw new IllegalStateException(problem);
    }
  }
}
