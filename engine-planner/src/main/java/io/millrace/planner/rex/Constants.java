package io.millrace.planner.rex;

import io.millrace.core.type.DataType;
import io.millrace.planner.type.MillraceTypeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/**
 * Constants as RexNodes and back. Values are Java objects of the classes that {@code
 * ColumnVector.valueAt} gives for the type; null is NULL.
 */
public final class Constants {
  private static final String UTC = "UTC";

  private Constants() {}

  /**
   * The constant of this type; a Calcite literal where Calcite has one, so that it can simplify.
   */
  public static RexNode of(RexBuilder builder, Object value, DataType type) {
    MillraceTypeFactory types = (MillraceTypeFactory) builder.getTypeFactory();
    if (value == null) {
      return builder.makeNullLiteral(types.of(type, true));
    }
    RelDataType relType = types.of(type, false);
    return switch (type) {
      case DataType.Bool unused -> builder.makeLiteral((Boolean) value);
      case DataType.Int unused -> builder.makeExactLiteral(decimal(value), relType);
      case DataType.Decimal unused -> builder.makeExactLiteral(decimal(value), relType);
      case DataType.Float unused ->
          builder.makeApproxLiteral((Double) ((Number) value).doubleValue(), relType);
      case DataType.Date unused -> builder.makeDateLiteral(new DateString(value.toString()));
      case DataType.Time time ->
          builder.makeTimeLiteral(timeString((LocalTime) value), time.unit().digits());
      case DataType.Timestamp timestamp when timestamp.zone().isEmpty() ->
          builder.makeTimestampLiteral(
              timestampString((LocalDateTime) value), timestamp.unit().digits());
      case DataType.Timestamp timestamp when timestamp.zone().get().equals(UTC) ->
          builder.makeTimestampWithLocalTimeZoneLiteral(
              timestampString(LocalDateTime.ofInstant((Instant) value, ZoneOffset.UTC)),
              timestamp.unit().digits());
      case DataType.Text unused -> text(builder, (String) value);
      case DataType.Binary unused -> builder.makeBinaryLiteral(new ByteString((byte[]) value));
      case DataType.Uuid unused -> builder.makeUuidLiteral((UUID) value);
      default -> builder.makeCall(relType, new ConstantOperator(value, type), java.util.List.of());
    };
  }

  /** A text constant. */
  public static RexNode text(RexBuilder builder, String value) {
    return builder.makeCharLiteral(
        new NlsString(value, StandardCharsets.UTF_8.name(), MillraceTypeFactory.COLLATION));
  }

  /** Whether the node is a constant written out, also NULL. */
  public static boolean isConstant(RexNode node) {
    return node instanceof RexLiteral
        || (node instanceof RexCall call && call.getOperator() instanceof ConstantOperator);
  }

  /**
   * The value of a constant; empty for NULL and for nodes that are no constants.
   *
   * @see #isConstant
   */
  public static Optional<Object> value(RexNode node) {
    if (node instanceof RexCall call && call.getOperator() instanceof ConstantOperator constant) {
      return Optional.ofNullable(constant.value());
    }
    if (node instanceof RexLiteral literal && !literal.isNull()) {
      return Optional.of(literalValue(literal));
    }
    return Optional.empty();
  }

  /**
   * A constant as the same value of a wider type; empty where only a kernel knows how.
   *
   * @see io.millrace.core.type.TypeCoercion#canWiden
   */
  public static Optional<RexNode> widened(RexBuilder builder, RexNode constant, DataType type) {
    return value(constant)
        .flatMap(
            value ->
                Optional.ofNullable(
                    switch (type) {
                      case DataType.Int unused -> decimal(value).toBigIntegerExact();
                      case DataType.Decimal wanted -> decimal(value).setScale(wanted.scale());
                      case DataType.Float wanted when value instanceof Number number ->
                          wanted.bits() == 64
                              ? (Object) number.doubleValue()
                              : (Object) number.floatValue();
                      case DataType.Timestamp wanted
                          when value instanceof LocalDate date && wanted.zone().isEmpty() ->
                          date.atStartOfDay();
                      default -> null;
                    }))
        .map(value -> of(builder, value, type));
  }

  private static Object literalValue(RexLiteral literal) {
    DataType type = MillraceTypeFactory.dataType(literal.getType());
    return switch (type) {
      case DataType.Bool unused -> literal.getValueAs(Boolean.class);
      case DataType.Int integer -> integer(integer, literal.getValueAs(BigDecimal.class));
      case DataType.Decimal decimal ->
          literal.getValueAs(BigDecimal.class).setScale(decimal.scale());
      case DataType.Float number -> {
        double value = literal.getValueAs(Double.class);
        yield number.bits() == 64 ? (Object) value : (Object) (float) value;
      }
      case DataType.Date unused -> LocalDate.parse(literal.getValueAs(DateString.class).toString());
      case DataType.Time unused -> LocalTime.parse(literal.getValueAs(TimeString.class).toString());
      case DataType.Timestamp timestamp -> {
        LocalDateTime value =
            LocalDateTime.parse(
                literal.getValueAs(TimestampString.class).toString().replace(' ', 'T'));
        yield timestamp.zone().isPresent() ? (Object) value.toInstant(ZoneOffset.UTC) : value;
      }
      case DataType.Text unused -> literal.getValueAs(NlsString.class).getValue();
      case DataType.Binary unused -> literal.getValueAs(ByteString.class).getBytes();
      case DataType.FixedBinary unused -> literal.getValueAs(ByteString.class).getBytes();
      case DataType.Uuid unused -> literal.getValueAs(UUID.class);
      default -> throw new IllegalStateException("Calcite has no literal of this type: " + type);
    };
  }

  /** An exact number as the class for its integer type; unsigned ones as the next wider. */
  private static Object integer(DataType.Int type, BigDecimal value) {
    int bits = type.signed() ? type.bits() : type.bits() * 2;
    return switch (bits) {
      case 8 -> value.byteValueExact();
      case 16 -> value.shortValueExact();
      case 32 -> value.intValueExact();
      case 64 -> value.longValueExact();
      default -> value.toBigIntegerExact();
    };
  }

  private static BigDecimal decimal(Object value) {
    return switch (value) {
      case BigDecimal decimal -> decimal;
      case BigInteger integer -> new BigDecimal(integer);
      case Number number -> BigDecimal.valueOf(number.longValue());
      default -> throw new IllegalArgumentException("Not a number: " + value.getClass());
    };
  }

  private static TimeString timeString(LocalTime value) {
    return new TimeString(value.getHour(), value.getMinute(), value.getSecond())
        .withNanos(value.getNano());
  }

  private static TimestampString timestampString(LocalDateTime value) {
    return new TimestampString(
            value.getYear(),
            value.getMonthValue(),
            value.getDayOfMonth(),
            value.getHour(),
            value.getMinute(),
            value.getSecond())
        .withNanos(value.getNano());
  }
}
