package io.millrace.exec.kernel.temporal;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.DecimalLane;
import io.millrace.exec.kernel.lane.DecimalOutput;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;

/** Intervals added, subtracted and multiplied, part by part: months, days, nanoseconds. */
public final class IntervalCombination {
  private IntervalCombination() {}

  /** The sum or difference of two intervals. */
  public static BlockKernel sum(boolean subtracts) {
    return new Sum(
        subtracts, new DecimalLane(), new DecimalLane(), new DecimalOutput(DataType.INTERVAL));
  }

  /** An interval so many times. */
  public static BlockKernel product(boolean intervalFirst) {
    return new Product(
        intervalFirst, new DecimalLane(), new LongLane(), new DecimalOutput(DataType.INTERVAL));
  }

  private abstract static class Combining extends BlockKernel {
    private final DecimalOutput output;
    private final boolean[] failed = new boolean[Lane.BLOCK_ROWS];

    Combining(DecimalOutput output, Lane left, Lane right) {
      super(output, left, right);
      this.output = output;
    }

    abstract void combine(int lane);

    final void put(int lane, long months, long days, long nanos) {
      long packedDays = ((long) Math.toIntExact(days)) << 32;
      output.low()[lane] = packedDays | (Math.toIntExact(months) & 0xffff_ffffL);
      output.high()[lane] = nanos;
    }

    @Override
    protected final boolean compute(int count) {
      boolean any = false;
      for (int lane = 0; lane < count; lane++) {
        failed[lane] = false;
        try {
          combine(lane);
        } catch (ArithmeticException overflow) {
          failed[lane] = true;
          any = true;
        }
      }
      return any;
    }

    @Override
    protected final boolean isFaulty(int lane) {
      return failed[lane];
    }

    @Override
    protected final MillraceException fault(int lane) {
      return new MillraceException(
          ErrorCode.NUMERIC_OVERFLOW, "An interval leaves the range of its type.");
    }
  }

  private static final class Sum extends Combining {
    private final long sign;
    private final DecimalLane left;
    private final DecimalLane right;

    Sum(boolean subtracts, DecimalLane left, DecimalLane right, DecimalOutput output) {
      super(output, left, right);
      this.sign = subtracts ? -1 : 1;
      this.left = left;
      this.right = right;
    }

    @Override
    void combine(int lane) {
      long first = left.low()[lane];
      long second = right.low()[lane];
      put(
          lane,
          (int) first + sign * (int) second,
          (int) (first >> 32) + sign * (int) (second >> 32),
          Math.addExact(left.high()[lane], Math.multiplyExact(sign, right.high()[lane])));
    }
  }

  private static final class Product extends Combining {
    private final DecimalLane intervals;
    private final LongLane times;

    Product(boolean intervalFirst, DecimalLane intervals, LongLane times, DecimalOutput output) {
      super(output, intervalFirst ? intervals : times, intervalFirst ? times : intervals);
      this.intervals = intervals;
      this.times = times;
    }

    @Override
    void combine(int lane) {
      long factor = times.values()[lane];
      long low = intervals.low()[lane];
      put(
          lane,
          Math.multiplyExact(factor, (int) low),
          Math.multiplyExact(factor, (int) (low >> 32)),
          Math.multiplyExact(factor, intervals.high()[lane]));
    }
  }
}
