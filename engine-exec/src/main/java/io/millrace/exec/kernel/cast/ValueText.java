package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.IntervalValue;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import io.millrace.exec.kernel.list.ListRows;
import io.millrace.exec.kernel.temporal.Zones;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;

/**
 * Values as SQL text: booleans true and false, floats in the shortest exact form, decimals plain,
 * dates and times as in ISO 8601 with a blank before the time, lists in brackets, structs and maps
 * in braces, null inside of them as NULL.
 */
@FunctionalInterface
interface ValueText {

  /** Appends the text of a row that is not null. */
  void append(FlatVector vector, int row, StringBuilder text);

  /** The text of a row that is not null. */
  default String text(FlatVector vector, int row) {
    StringBuilder text = new StringBuilder();
    append(vector, row, text);
    return text.toString();
  }

  /** The text form of a type. */
  static ValueText of(DataType type) {
    return switch (type) {
      case DataType.Int integer when !integer.signed() && integer.bits() == 64 ->
          (vector, row, text) -> text.append(Long.toUnsignedString(vector.longAt(row)));
      case DataType.Int integer -> (vector, row, text) -> text.append(vector.longAt(row));
      case DataType.Float number when number.bits() == 64 ->
          (vector, row, text) -> text.append(vector.doubleAt(row));
      case DataType.Float number ->
          (vector, row, text) -> text.append((float) vector.doubleAt(row));
      case DataType.Decimal decimal ->
          (vector, row, text) -> text.append(((BigDecimal) vector.valueAt(row)).toPlainString());
      case DataType.Text string -> (vector, row, text) -> text.append(vector.textAt(row));
      case DataType.Date date ->
          (vector, row, text) -> text.append(LocalDate.ofEpochDay(vector.longAt(row)));
      case DataType.Time time ->
          (vector, row, text) -> appendTime(vector.longAt(row), time.unit(), text);
      case DataType.Timestamp timestamp -> timestamp(timestamp);
      case DataType.Interval interval ->
          (vector, row, text) -> appendInterval((IntervalValue) vector.valueAt(row), text);
      case DataType.ListOf list -> list(of(list.element().type()));
      case DataType.FixedList list -> list(of(list.element().type()));
      case DataType.Embedding embedding -> list(of(embedding.element()));
      case DataType.Struct struct -> struct(struct);
      case DataType.MapOf map -> map(of(map.key().type()), of(map.value().type()));
      default -> (vector, row, text) -> text.append(describe(vector.valueAt(row)));
    };
  }

  private static String describe(Object value) {
    return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
  }

  private static ValueText timestamp(DataType.Timestamp type) {
    TimeUnit unit = type.unit();
    ZoneId zone = type.zone().map(Zones::of).orElse(ZoneOffset.UTC);
    long unitsPerDay = 86_400 * unit.unitsPerSecond();
    return (vector, row, text) -> {
      long moment = vector.longAt(row);
      long local = Zones.toLocal(moment, unit.unitsPerSecond(), zone);
      text.append(LocalDate.ofEpochDay(Math.floorDiv(local, unitsPerDay))).append(' ');
      appendTime(Math.floorMod(local, unitsPerDay), unit, text);
      if (type.zone().isPresent()) {
        appendOffset((local - moment) / unit.unitsPerSecond(), text);
      }
    };
  }

  private static void appendTime(long unitsOfDay, TimeUnit unit, StringBuilder text) {
    long seconds = unitsOfDay / unit.unitsPerSecond();
    appendTwo(seconds / 3_600, text);
    text.append(':');
    appendTwo(seconds / 60 % 60, text);
    text.append(':');
    appendTwo(seconds % 60, text);
    long fraction = unitsOfDay % unit.unitsPerSecond();
    if (fraction != 0) {
      String digits = Long.toString(unit.unitsPerSecond() + fraction).substring(1);
      int end = digits.length();
      while (digits.charAt(end - 1) == '0') {
        end--;
      }
      text.append('.').append(digits, 0, end);
    }
  }

  private static void appendTwo(long number, StringBuilder text) {
    text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }

  /** As PostgreSQL writes it: +02, +05:30. */
  private static void appendOffset(long seconds, StringBuilder text) {
    long absolute = Math.abs(seconds);
    text.append(seconds < 0 ? '-' : '+');
    appendTwo(absolute / 3_600, text);
    if (absolute % 3_600 != 0) {
      text.append(':');
      appendTwo(absolute / 60 % 60, text);
    }
    if (absolute % 60 != 0) {
      text.append(':');
      appendTwo(absolute % 60, text);
    }
  }

  /** ISO 8601, for example P1Y2M3DT4H5M6.5S. */
  private static void appendInterval(IntervalValue interval, StringBuilder text) {
    int years = interval.months() / 12;
    int months = interval.months() % 12;
    text.append('P');
    if (years != 0) {
      text.append(years).append('Y');
    }
    if (months != 0) {
      text.append(months).append('M');
    }
    if (interval.days() != 0) {
      text.append(interval.days()).append('D');
    }
    if (interval.nanoseconds() != 0) {
      text.append(Duration.ofNanos(interval.nanoseconds()).toString().substring(1));
    }
    if (text.charAt(text.length() - 1) == 'P') {
      text.append("T0S");
    }
  }

  private static ValueText list(ValueText element) {
    return (vector, row, text) -> {
      int start = ListRows.start(vector, row);
      int count = ListRows.count(vector, row);
      text.append('[');
      for (int index = 0; index < count; index++) {
        text.append(index == 0 ? "" : ", ");
        appendNullable(element, vector.child(0), start + index, text);
      }
      text.append(']');
    };
  }

  private static ValueText struct(DataType.Struct type) {
    List<ValueText> members = type.fields().stream().map(field -> of(field.type())).toList();
    return (vector, row, text) -> {
      text.append('{');
      for (int index = 0; index < members.size(); index++) {
        text.append(index == 0 ? "" : ", ").append(type.fields().get(index).name()).append(": ");
        appendNullable(members.get(index), vector.child(index), row, text);
      }
      text.append('}');
    };
  }

  private static ValueText map(ValueText key, ValueText value) {
    return (vector, row, text) -> {
      FlatVector entries = vector.child(0);
      text.append('{');
      for (int index = vector.startAt(row); index < vector.endAt(row); index++) {
        text.append(index == vector.startAt(row) ? "" : ", ");
        key.append(entries.child(0), index, text);
        text.append(": ");
        appendNullable(value, entries.child(1), index, text);
      }
      text.append('}');
    };
  }

  private static void appendNullable(
      ValueText form, FlatVector vector, int row, StringBuilder text) {
    if (vector.isNull(row)) {
      text.append("NULL");
    } else {
      form.append(vector, row, text);
    }
  }
}
