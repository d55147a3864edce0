package io.millrace.planner.statistics;

import io.millrace.core.type.DataType;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.OptionalDouble;

/** Places values on a line, so that shares of ranges can be told. */
final class ValuePosition {
  private static final double MILLI = 1e-3;

  private ValuePosition() {}

  /** Numbers as they are, dates in days, points in time in seconds; empty for others and null. */
  static OptionalDouble of(Object value) {
    return switch (value) {
      case null -> OptionalDouble.empty();
      case Number number ->
          Double.isNaN(number.doubleValue())
              ? OptionalDouble.empty()
              : OptionalDouble.of(number.doubleValue());
      case LocalDate date -> OptionalDouble.of(date.toEpochDay());
      case LocalDateTime time ->
          OptionalDouble.of(time.toInstant(ZoneOffset.UTC).toEpochMilli() * MILLI);
      case Instant instant -> OptionalDouble.of(instant.getEpochSecond());
      default -> OptionalDouble.empty();
    };
  }

  /** Whether neighbouring values are one apart. */
  static boolean isDiscrete(DataType type) {
    return type instanceof DataType.Int || type instanceof DataType.Date;
  }
}
