package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import io.millrace.exec.kernel.temporal.Zones;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Conversions of text to dates and times. A timestamp without zone takes the UTC time of a text
 * with an offset; one with zone reads a text without an offset in its zone.
 */
final class TextToTemporal {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long SECONDS_PER_DAY = 86_400;

  private final DateTimeText text = new DateTimeText();

  private TextToTemporal() {}

  static Optional<ScalarKernel> of(CastRequest request) {
    TextToTemporal reader = new TextToTemporal();
    return switch (request.to()) {
      case DataType.Date to -> Optional.of(new RowCast(request, reader::appendDate));
      case DataType.Time to ->
          Optional.of(
              new RowCast(
                  request,
                  (source, row, target) -> reader.appendTime(to.unit(), source, row, target)));
      case DataType.Timestamp to -> {
        ZoneId zone = to.zone().map(Zones::of).orElse(ZoneOffset.UTC);
        yield Optional.of(
            new RowCast(
                request,
                (source, row, target) ->
                    reader.appendTimestamp(to.unit(), zone, source, row, target)));
      }
      case DataType.Duration to ->
          Optional.of(
              new RowCast(
                  request,
                  (source, row, target) -> appendDuration(to.unit(), source, row, target)));
      case DataType.Interval to -> Optional.of(new RowCast(request, TextToInterval::append));
      default -> Optional.empty();
    };
  }

  private boolean appendDate(FlatVector source, int row, VectorBuilder target) {
    if (!text.readDateTime(source.textAt(row)) || text.epochDay() != (int) text.epochDay()) {
      return false;
    }
    target.appendLong(text.epochDay());
    return true;
  }

  private boolean appendTime(TimeUnit unit, FlatVector source, int row, VectorBuilder target) {
    if (!text.readTimeOfDay(source.textAt(row))) {
      return false;
    }
    target.appendLong(text.nanoOfDay() / (NANOS_PER_SECOND / unit.unitsPerSecond()));
    return true;
  }

  private boolean appendTimestamp(
      TimeUnit unit, ZoneId ownZone, FlatVector source, int row, VectorBuilder target) {
    if (!text.readDateTime(source.textAt(row))) {
      return false;
    }
    try {
      long perSecond = unit.unitsPerSecond();
      long local =
          Math.addExact(
              Math.multiplyExact(text.epochDay(), SECONDS_PER_DAY * perSecond),
              text.nanoOfDay() / (NANOS_PER_SECOND / perSecond));
      target.appendLong(Zones.toInstant(local, perSecond, text.zone().orElse(ownZone)));
      return true;
    } catch (ArithmeticException outOfRange) {
      return false;
    }
  }

  private static boolean appendDuration(
      TimeUnit unit, FlatVector source, int row, VectorBuilder target) {
    try {
      Duration duration = Duration.parse(source.textAt(row).strip());
      long perSecond = unit.unitsPerSecond();
      target.appendLong(
          Math.addExact(
              Math.multiplyExact(duration.getSeconds(), perSecond),
              duration.getNano() / (NANOS_PER_SECOND / perSecond)));
      return true;
    } catch (DateTimeParseException | ArithmeticException malformed) {
      return false;
    }
  }
}
