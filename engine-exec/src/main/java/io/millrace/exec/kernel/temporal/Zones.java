package io.millrace.exec.kernel.temporal;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Time zones: names, and the way between instants and local time as counts of units. */
public final class Zones {
  private Zones() {}

  /**
   * The zone of this name.
   *
   * @throws MillraceException INVALID_ARGUMENT when there is none
   */
  public static ZoneId of(String name) {
    try {
      ZoneId zone = ZoneId.of(name);
      return zone.normalized();
    } catch (DateTimeException unknown) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "Unknown time zone: " + name, unknown);
    }
  }

  /** The local date-time of an instant, both as counts of units since 1970. */
  public static long toLocal(long instant, long unitsPerSecond, ZoneId zone) {
    long offsetSeconds =
        zone instanceof ZoneOffset fixed
            ? fixed.getTotalSeconds()
            : zone.getRules()
                .getOffset(Instant.ofEpochSecond(Math.floorDiv(instant, unitsPerSecond)))
                .getTotalSeconds();
    return Math.addExact(instant, offsetSeconds * unitsPerSecond);
  }

  /**
   * The instant of a local date-time. In the gap of a clock change the offset before it holds, in
   * an overlap the earlier one.
   */
  public static long toInstant(long local, long unitsPerSecond, ZoneId zone) {
    long offsetSeconds =
        zone instanceof ZoneOffset fixed
            ? fixed.getTotalSeconds()
            : zone.getRules()
                .getOffset(
                    LocalDateTime.ofEpochSecond(
                        Math.floorDiv(local, unitsPerSecond), 0, ZoneOffset.UTC))
                .getTotalSeconds();
    return Math.subtractExact(local, offsetSeconds * unitsPerSecond);
  }
}
