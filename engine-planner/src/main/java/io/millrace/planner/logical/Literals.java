package io.millrace.planner.logical;

import io.millrace.core.batch.IntervalValue;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import io.millrace.planner.type.MillraceTypeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/**
 * Constants as Calcite expressions and as Java values (classes of {@code ColumnVector.valueAt}).
 */
public final class Literals {
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter();
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral(' ')
          .append(TIME)
          .toFormatter();
  private static final String UTC = "UTC";
  private static final long NANOS_PER_MILLI = 1_000_000;

  private Literals() {}

  /** Whether the expression is a constant that {@link #value} reads. */
  public static boolean isConstant(RexNode node) {
    return node instanceof RexLiteral || ConstantValue.is(node);
  }

  /** Whether the expression is NULL. */
  public static boolean isNull(RexNode node) {
    return node instanceof RexLiteral literal && literal.isNull();
  }

  /** The constant of a type; a null value gives NULL. */
  public static RexNode of(RexBuilder builder, Object value, DataType type) {
    RelDataType calciteType = types(builder).of(type, value == null);
    if (value == null) {
      return builder.makeNullLiteral(calciteType);
    }
    return switch (type) {
      case DataType.Bool unused -> builder.makeLiteral((Boolean) value);
      case DataType.Int unused -> builder.makeExactLiteral(exact(value), calciteType);
      case DataType.Decimal decimal ->
          builder.makeExactLiteral(exact(value).setScale(decimal.scale()), calciteType);
      case DataType.Float unused ->
          builder.makeApproxLiteral((Double) ((Number) value).doubleValue(), calciteType);
      case DataType.Text unused -> text(builder, (String) value);
      case DataType.Date unused -> builder.makeDateLiteral(new DateString(value.toString()));
      case DataType.Time time ->
          builder.makeTimeLiteral(
              new TimeString(trimmed(TIME.format((LocalTime) value))), time.unit().digits());
      case DataType.Timestamp timestamp when timestamp.zone().isEmpty() ->
          builder.makeTimestampLiteral(
              timestampString((LocalDateTime) value), timestamp.unit().digits());
      case DataType.Timestamp timestamp when timestamp.zone().get().equals(UTC) ->
          builder.makeTimestampWithLocalTimeZoneLiteral(
              timestampString(LocalDateTime.ofInstant((Instant) value, ZoneOffset.UTC)),
              timestamp.unit().digits());
      default -> ConstantValue.of(builder, value, calciteType);
    };
  }

  private static MillraceTypeFactory types(RexBuilder builder) {
    return (MillraceTypeFactory) builder.getTypeFactory();
  }

  private static RexNode text(RexBuilder builder, String value) {
    return builder.makeCharLiteral(
        new NlsString(
            value, "UTF-8", types(builder).createSqlType(SqlTypeName.VARCHAR).getCollation()));
  }

  private static BigDecimal exact(Object value) {
    return switch (value) {
      case BigDecimal decimal -> decimal;
      case BigInteger integer -> new BigDecimal(integer);
      case Number number -> BigDecimal.valueOf(number.longValue());
      default -> throw new IllegalArgumentException("Not an exact number: " + value);
    };
  }

  private static TimestampString timestampString(LocalDateTime value) {
    return new TimestampString(trimmed(TIMESTAMP.format(value)));
  }

  /** Calcite refuses zeros at the end of a fraction. */
  private static String trimmed(String text) {
    int dot = text.indexOf('.');
    if (dot < 0) {
      return text;
    }
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, end == dot + 1 ? dot : end);
  }

  /** The constant's value; null for NULL. */
  public static Object value(RexNode node) {
    if (node instanceof RexCall call && call.getOperator() instanceof ConstantValue constant) {
      return constant.value();
    }
    RexLiteral literal = (RexLiteral) node;
    if (literal.isNull()) {
      return null;
    }
    return switch (MillraceTypeFactory.dataType(literal.getType())) {
      case DataType.Bool unused -> literal.getValueAs(Boolean.class);
      case DataType.Int type -> integer(type, literal.getValueAs(BigDecimal.class));
      case DataType.Decimal type -> literal.getValueAs(BigDecimal.class).setScale(type.scale());
      case DataType.Float type -> number(type, literal);
      case DataType.Text unused -> literal.getValueAs(NlsString.class).getValue();
      case DataType.Date unused -> LocalDate.parse(literal.getValueAs(DateString.class).toString());
      case DataType.Time unused ->
          LocalTime.parse(literal.getValueAs(TimeString.class).toString(), TIME);
      case DataType.Timestamp type -> timestamp(type, literal);
      case DataType.Duration unused -> duration(literal);
      case DataType.Interval unused -> interval(literal);
      case DataType.Binary unused -> bytes(literal);
      case DataType.FixedBinary unused -> bytes(literal);
      case DataType.Uuid unused -> literal.getValueAs(java.util.UUID.class);
      default ->
          throw new MillraceException(
              ErrorCode.INVALID_PLAN,
              "A literal has a type without literals: " + literal + " " + literal.getType());
    };
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
    return isConstant(node) ? Optional.ofNullable(value(node)) : Optional.empty();
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

  private static Object number(DataType.Float type, RexLiteral literal) {
    double value =
        literal.getValue() instanceof Double number
            ? number
            : literal.getValueAs(BigDecimal.class).doubleValue();
    return type.bits() == 64 ? (Object) value : (Object) (float) value;
  }

  private static Object timestamp(DataType.Timestamp type, RexLiteral literal) {
    LocalDateTime local =
        LocalDateTime.parse(literal.getValueAs(TimestampString.class).toString(), TIMESTAMP);
    return type.zone().isPresent() ? local.toInstant(ZoneOffset.UTC) : local;
  }

  private static byte[] bytes(RexLiteral literal) {
    return literal.getValueAs(org.apache.calcite.avatica.util.ByteString.class).getBytes();
  }

  private static Duration duration(RexLiteral literal) {
    return Duration.ofNanos(nanos(literal));
  }

  private static long nanos(RexLiteral literal) {
    return literal
        .getValueAs(BigDecimal.class)
        .multiply(BigDecimal.valueOf(NANOS_PER_MILLI))
        .longValueExact();
  }

  private static IntervalValue interval(RexLiteral literal) {
    if (literal.getTypeName().getFamily()
        == org.apache.calcite.sql.type.SqlTypeFamily.INTERVAL_YEAR_MONTH) {
      return new IntervalValue(literal.getValueAs(BigDecimal.class).intValueExact(), 0, 0);
    }
    long nanos = nanos(literal);
    long nanosPerDay = Duration.ofDays(1).toNanos();
    return new IntervalValue(0, (int) (nanos / nanosPerDay), nanos % nanosPerDay);
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
