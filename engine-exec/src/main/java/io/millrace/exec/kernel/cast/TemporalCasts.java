package io.millrace.exec.kernel.cast;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.LongOutput;
import io.millrace.exec.kernel.temporal.Zones;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * Conversions between dates, times and timestamps. A finer unit is cut towards the past; between a
 * timestamp with zone and one without, the local time in the zone counts.
 */
final class TemporalCasts {
  private static final long SECONDS_PER_DAY = 86_400;

  private TemporalCasts() {}

  static Optional<ScalarKernel> of(CastRequest request) {
    return conversion(request.from(), request.to())
        .map(conversion -> new Converting(request, conversion));
  }

  /** Gives an ArithmeticException for what does not fit 64 bits. */
  private static Optional<LongUnaryOperator> conversion(DataType from, DataType to) {
    return switch (from) {
      case DataType.Date date when to instanceof DataType.Timestamp target ->
          Optional.of(
              fromLocal(target).compose(day -> Math.multiplyExact(day, perDay(target.unit()))));
      case DataType.Timestamp source -> ofTimestamp(source, to);
      case DataType.Time source when to instanceof DataType.Time target ->
          Optional.of(time -> changeUnit(time, source.unit(), target.unit()));
      case DataType.Duration source when to instanceof DataType.Duration target ->
          Optional.of(time -> changeUnit(time, source.unit(), target.unit()));
      default -> Optional.empty();
    };
  }

  private static Optional<LongUnaryOperator> ofTimestamp(DataType.Timestamp source, DataType to) {
    LongUnaryOperator local = toLocal(source);
    return switch (to) {
      case DataType.Date date ->
          Optional.of(
              local.andThen(
                  moment -> Math.toIntExact(Math.floorDiv(moment, perDay(source.unit())))));
      case DataType.Time time ->
          Optional.of(
              local.andThen(
                  moment ->
                      changeUnit(
                          Math.floorMod(moment, perDay(source.unit())),
                          source.unit(),
                          time.unit())));
      case DataType.Timestamp target -> Optional.of(betweenTimestamps(source, target));
      default -> Optional.empty();
    };
  }

  private static LongUnaryOperator betweenTimestamps(
      DataType.Timestamp source, DataType.Timestamp target) {
    LongUnaryOperator unit = moment -> changeUnit(moment, source.unit(), target.unit());
    if (source.zone().isPresent() == target.zone().isPresent()) {
      return unit;
    }
    return source.zone().isPresent()
        ? toLocal(source).andThen(unit)
        : fromLocal(target).compose(unit);
  }

  private static long perDay(TimeUnit unit) {
    return SECONDS_PER_DAY * unit.unitsPerSecond();
  }

  private static ZoneId zone(DataType.Timestamp type) {
    return type.zone().map(Zones::of).orElse(ZoneOffset.UTC);
  }

  private static LongUnaryOperator toLocal(DataType.Timestamp type) {
    ZoneId zone = zone(type);
    long unitsPerSecond = type.unit().unitsPerSecond();
    return moment -> Zones.toLocal(moment, unitsPerSecond, zone);
  }

  private static LongUnaryOperator fromLocal(DataType.Timestamp type) {
    ZoneId zone = zone(type);
    long unitsPerSecond = type.unit().unitsPerSecond();
    return local -> Zones.toInstant(local, unitsPerSecond, zone);
  }

  private static long changeUnit(long value, TimeUnit from, TimeUnit to) {
    return from.digits() <= to.digits()
        ? Math.multiplyExact(value, to.unitsPerSecond() / from.unitsPerSecond())
        : Math.floorDiv(value, from.unitsPerSecond() / to.unitsPerSecond());
  }

  private static final class Converting extends CastBlock {
    private final CastRequest request;
    private final LongUnaryOperator conversion;
    private final long[] value;
    private final long[] result;

    Converting(CastRequest request, LongUnaryOperator conversion) {
      this(request, conversion, new LongLane(), new LongOutput(request.to()));
    }

    private Converting(
        CastRequest request, LongUnaryOperator conversion, LongLane input, LongOutput output) {
      super(request, input, output);
      this.request = request;
      this.conversion = conversion;
      this.value = input.values();
      this.result = output.values();
    }

    @Override
    boolean convert(int lane) {
      try {
        result[lane] = conversion.applyAsLong(value[lane]);
        return true;
      } catch (ArithmeticException outOfRange) {
        return false;
      }
    }

    @Override
    String describe(int lane) {
      return value[lane] + " units of " + request.from();
    }
  }
}
