package io.millrace.planner.logical;

import io.millrace.core.batch.IntervalValue;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import io.millrace.planner.rex.Constants;
import io.millrace.planner.type.MillraceTypeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Optional;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * Constants as Calcite expressions and as Java values (classes of {@code ColumnVector.valueAt}).
 */
public final class Literals {
  private static final String UTC = "UTC";

  private Literals() {}

  /** Whether the expression is a constant that {@link #value} reads. */
  public static boolean isConstant(RexNode node) {
    return Constants.isConstant(node);
  }

  /** Whether the expression is NULL. */
  public static boolean isNull(RexNode node) {
    return node instanceof RexLiteral literal && literal.isNull();
  }

  /** The constant of a type; a null value gives NULL. */
  public static RexNode of(RexBuilder builder, Object value, DataType type) {
    return Constants.of(builder, value, type);
  }

  private static BigDecimal exact(Object value) {
    return switch (value) {
      case BigDecimal decimal -> decimal;
      case BigInteger integer -> new BigDecimal(integer);
      case Number number -> BigDecimal.valueOf(number.longValue());
      default -> throw new IllegalArgumentException("Not an exact number: " + value);
    };
  }

  /** The constant's value; null for NULL. */
  public static Object value(RexNode node) {
    return Constants.value(node).orElse(null);
  }

  /** The literal's value as one of another type that it widens to; null for NULL. */
  public static Object valueAs(RexBuilder builder, RexLiteral literal, DataType type) {
    Object value = value(literal);
    DataType own = MillraceTypeFactory.dataType(literal.getType());
    return value == null || own.equals(type) ? value : widened(builder, value, own, type);
  }

  private static Object widened(RexBuilder builder, Object value, DataType from, DataType to) {
    if (from.isExactNumeric() && to.isExactNumeric()) {
      return value(of(builder, exact(value), to));
    }
    if (from.isNumeric() && to instanceof DataType.Float number) {
      double wide = ((Number) value).doubleValue();
      return number.bits() == 64 ? (Object) wide : (Object) (float) wide;
    }
    if (value instanceof LocalDate date && to instanceof DataType.Timestamp) {
      return date.atStartOfDay();
    }
    return value;
  }

  /** A value that a user gave, as the class that values of the type have. */
  public static Object convert(Object value, DataType type) {
    if (value instanceof Number number && type instanceof DataType.Int integer) {
      return integer(integer, exact(number));
    }
    if (value instanceof Number number && type instanceof DataType.Float width) {
      return width.bits() == 64 ? (Object) number.doubleValue() : (Object) number.floatValue();
    }
    if (value instanceof Number number && type instanceof DataType.Decimal decimal) {
      return exact(number).setScale(decimal.scale());
    }
    return value;
  }

  /** Whether the constant can take the type without a cast that evaluates anything. */
  public static boolean widensExactly(DataType from, DataType to) {
    return (from.isExactNumeric() && (to.isExactNumeric() || to instanceof DataType.Float)
            || from instanceof DataType.Date && to instanceof DataType.Timestamp)
        && io.millrace.core.type.TypeCoercion.canWiden(from, to);
  }

  /** The value when the expression is a constant and not NULL. */
  public static Optional<Object> constant(RexNode node) {
    return Constants.value(node);
  }

  private static Object integer(DataType.Int type, BigDecimal value) {
    int bits = type.signed() ? type.bits() : 2 * type.bits();
    return switch (bits) {
      case 8 -> (Object) value.byteValueExact();
      case 16 -> (Object) value.shortValueExact();
      case 32 -> (Object) value.intValueExact();
      case 64 -> (Object) value.longValueExact();
      default -> value.toBigIntegerExact();
    };
  }

  /** The type that follows from the class of a Java value. */
  public static DataType typeOf(Object value) {
    return switch (value) {
      case null -> DataType.NULL;
      case Boolean unused -> DataType.BOOLEAN;
      case Byte unused -> DataType.INT8;
      case Short unused -> DataType.INT16;
      case Integer unused -> DataType.INT32;
      case Long unused -> DataType.INT64;
      case BigInteger unused -> DataType.decimal(DataType.Decimal.PRECISION_LIMIT, 0);
      case Float unused -> DataType.FLOAT32;
      case Double unused -> DataType.FLOAT64;
      case BigDecimal decimal -> decimalType(decimal);
      case String unused -> DataType.STRING;
      case byte[] unused -> DataType.BINARY;
      case float[] numbers -> DataType.embedding(DataType.FLOAT32, Math.max(1, numbers.length));
      case double[] numbers -> DataType.embedding(DataType.FLOAT64, Math.max(1, numbers.length));
      case LocalDate unused -> DataType.DATE;
      case LocalTime unused -> new DataType.Time(TimeUnit.MICROSECOND);
      case LocalDateTime unused -> DataType.timestamp(TimeUnit.MICROSECOND);
      case Instant unused -> DataType.timestamp(TimeUnit.MICROSECOND, UTC);
      case Duration unused -> new DataType.Duration(TimeUnit.MICROSECOND);
      case IntervalValue unused -> DataType.INTERVAL;
      case java.util.UUID unused -> DataType.UUID;
      default ->
          throw new MillraceException(
              ErrorCode.UNSUPPORTED_TYPE,
              "A value of this class needs a type; use lit(value, type): "
                  + value.getClass().getName());
    };
  }

  private static DataType decimalType(BigDecimal decimal) {
    int scale = Math.max(0, decimal.scale());
    int precision = Math.max(Math.max(decimal.precision() - decimal.scale() + scale, scale), 1);
    return DataType.decimal(precision, scale);
  }
}
