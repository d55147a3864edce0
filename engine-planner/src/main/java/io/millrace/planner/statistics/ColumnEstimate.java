package io.millrace.planner.statistics;

import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import java.util.OptionalDouble;

/**
 * What is expected of one column; unknown is empty, never zero.
 *
 * @param distinct different values among the rows
 * @param domain different values that the column was drawn from, before filters of other columns:
 *     keys of a filtered table still meet their partners as often as in the whole table
 * @param isTight whether the domain was counted; otherwise it is only a bound
 * @param nullShare 0 to 1
 * @param minimum no value is less, as {@link ValuePosition} counts
 * @param maximum no value is greater
 * @param bytes width of a value in memory; empty for the type's own
 */
public record ColumnEstimate(
    OptionalDouble distinct,
    OptionalDouble domain,
    boolean isTight,
    OptionalDouble nullShare,
    OptionalDouble minimum,
    OptionalDouble maximum,
    OptionalDouble bytes) {

  public static final ColumnEstimate UNKNOWN =
      new ColumnEstimate(
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          false,
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty());

  /**
   * A stored column. Without a count the values of whole numbers and dates are as many as lie
   * between the bounds, at most as many as there are rows.
   */
  static ColumnEstimate of(ColumnStatistics known, double rows, boolean isDiscrete) {
    OptionalDouble minimum = ValuePosition.of(known.minimum());
    OptionalDouble maximum = ValuePosition.of(known.maximum());
    OptionalDouble bytes =
        known.averageBytes().isPresent()
            ? OptionalDouble.of(known.averageBytes().getAsLong())
            : OptionalDouble.empty();
    OptionalDouble distinct = OptionalDouble.empty();
    boolean tight = false;
    if (known.distinctCount().isPresent()) {
      distinct = OptionalDouble.of(Math.min(rows, known.distinctCount().getAsLong()));
      tight = true;
    } else if (isDiscrete && minimum.isPresent() && maximum.isPresent()) {
      double range = maximum.getAsDouble() - minimum.getAsDouble() + 1;
      distinct = OptionalDouble.of(Math.min(rows, range));
      // values of a dense range are all there; a range as long as the table is a serial number
      tight = 2 * range <= rows || range == rows;
    }
    return new ColumnEstimate(
        distinct, distinct, tight, known.nullFraction(), minimum, maximum, bytes);
  }

  /** A column with one value. */
  static ColumnEstimate constant(OptionalDouble position) {
    OptionalDouble one = OptionalDouble.of(1);
    return new ColumnEstimate(
        one, one, true, OptionalDouble.of(0), position, position, OptionalDouble.empty());
  }

  /** Only the number of different values is known. */
  static ColumnEstimate ofDistinct(double count) {
    OptionalDouble distinct = OptionalDouble.of(count);
    return new ColumnEstimate(
        distinct,
        distinct,
        false,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty());
  }

  /**
   * The column after rows were dropped without regard to it: of a value that stands in n rows one
   * is likely left.
   *
   * @param before rows
   * @param after rows that are left
   */
  ColumnEstimate thinned(double before, double after) {
    if (distinct.isEmpty() || after >= before || before <= 0) {
      return this;
    }
    double count = Math.max(1, distinct.getAsDouble());
    double kept = count * (1 - Math.pow(1 - after / before, before / count));
    return withDistinct(OptionalDouble.of(Math.max(Math.min(1, after), Math.min(after, kept))));
  }

  private ColumnEstimate withDistinct(OptionalDouble count) {
    return new ColumnEstimate(count, domain, isTight, nullShare, minimum, maximum, bytes);
  }

  /** Only values between the bounds are left, and no nulls. */
  ColumnEstimate within(double lower, double upper) {
    OptionalDouble least = OptionalDouble.of(minimum.isPresent() ? Math.max(lower, low()) : lower);
    OptionalDouble most = OptionalDouble.of(maximum.isPresent() ? Math.min(upper, high()) : upper);
    OptionalDouble left = distinct;
    if (lower == upper) {
      left = OptionalDouble.of(1);
    } else if (distinct.isPresent() && minimum.isPresent() && maximum.isPresent()) {
      double share = (most.getAsDouble() - least.getAsDouble()) / Math.max(1e-9, high() - low());
      left = OptionalDouble.of(Math.max(1, distinct.getAsDouble() * Math.clamp(share, 0, 1)));
    }
    return new ColumnEstimate(
        left,
        lower == upper ? left : domain,
        isTight,
        OptionalDouble.of(0),
        Double.isInfinite(least.getAsDouble()) ? OptionalDouble.empty() : least,
        Double.isInfinite(most.getAsDouble()) ? OptionalDouble.empty() : most,
        bytes);
  }

  /** As {@link #within} for a column that equals one of so many values. */
  ColumnEstimate amongValues(double count) {
    double left = distinct.isPresent() ? Math.min(count, distinct.getAsDouble()) : count;
    return new ColumnEstimate(
        OptionalDouble.of(left),
        OptionalDouble.of(left),
        isTight,
        OptionalDouble.of(0),
        minimum,
        maximum,
        bytes);
  }

  private double low() {
    return minimum.getAsDouble();
  }

  private double high() {
    return maximum.getAsDouble();
  }
}
