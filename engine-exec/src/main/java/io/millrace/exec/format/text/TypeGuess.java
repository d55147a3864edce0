package io.millrace.exec.format.text;

import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;

/**
 * Infers a column's type from its values' text. The first of these that fits all values that were
 * seen: boolean, int64, decimal(38, 0) when all are integers of at most 38 digits, float64, date,
 * timestamp (a date counts as its midnight; of nanoseconds when a fraction has more than six
 * digits), timestamp in UTC when all have an offset; else string. Without values it is string.
 */
public final class TypeGuess {
  private final NumberText number = new NumberText();
  private final TemporalText temporal = new TemporalText();
  private boolean seen;
  private boolean booleans = true;
  private boolean integers = true;
  private boolean longIntegers = true;
  private boolean reals = true;
  private boolean digits;
  private boolean dates = true;
  private boolean timestamps = true;
  private boolean zonedTimestamps = true;
  private boolean fine;

  /** Whether a value was seen. */
  public boolean hasSeen() {
    return seen;
  }

  /** Looks at a value that is not null. */
  public void see(byte[] text, int from, int to) {
    seen = true;
    booleans =
        booleans
            && (ValueParser.isWord(text, from, to, "true")
                || ValueParser.isWord(text, from, to, "false"));
    integers = integers && number.readInteger(text, from, to);
    longIntegers =
        longIntegers
            && to - from <= DataType.Decimal.PRECISION_LIMIT
            && NumberText.isInteger(text, from, to);
    if (reals) {
      reals = number.readReal(text, from, to);
      digits |= reals && Double.isFinite(number.real());
    }
    if (dates || timestamps || zonedTimestamps) {
      seeTemporal(text, from, to);
    }
  }

  private void seeTemporal(byte[] text, int from, int to) {
    boolean read = temporal.readTimestamp(text, from, to);
    dates = dates && read && !temporal.isTimed();
    timestamps = timestamps && read && !temporal.isZoned();
    zonedTimestamps = zonedTimestamps && read && temporal.isZoned();
    fine |= read && temporal.fractionDigits() > 6;
  }

  /** What fits all values so far. */
  public DataType type() {
    if (!seen) {
      return DataType.STRING;
    }
    if (booleans) {
      return DataType.BOOLEAN;
    }
    if (integers) {
      return DataType.INT64;
    }
    if (longIntegers) {
      return DataType.decimal(DataType.Decimal.PRECISION_LIMIT, 0);
    }
    // Words like nan alone are no numbers.
    if (reals && digits) {
      return DataType.FLOAT64;
    }
    if (dates) {
      return DataType.DATE;
    }
    TimeUnit unit = fine ? TimeUnit.NANOSECOND : TimeUnit.MICROSECOND;
    if (timestamps) {
      return DataType.timestamp(unit);
    }
    return zonedTimestamps ? DataType.timestamp(unit, "UTC") : DataType.STRING;
  }
}
