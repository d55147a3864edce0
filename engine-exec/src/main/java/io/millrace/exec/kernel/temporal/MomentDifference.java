package io.millrace.exec.kernel.temporal;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.DecimalOutput;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.LongOutput;

/** The days between two dates, or the days and time between two timestamps as an interval. */
public final class MomentDifference {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long SECONDS_PER_DAY = 86_400;

  private MomentDifference() {}

  /** For two arguments of this type. */
  public static BlockKernel of(DataType type) {
    return type instanceof DataType.Timestamp timestamp
        ? new Moments(
            timestamp.unit().unitsPerSecond(),
            new LongLane(),
            new LongLane(),
            new DecimalOutput(DataType.INTERVAL))
        : new Days(new LongLane(), new LongLane(), new LongOutput(DataType.INT64));
  }

  private static final class Days extends BlockKernel {
    private final long[] left;
    private final long[] right;
    private final long[] result;

    Days(LongLane left, LongLane right, LongOutput output) {
      super(output, left, right);
      this.left = left.values();
      this.right = right.values();
      this.result = output.values();
    }

    @Override
    protected boolean compute(int count) {
      for (int lane = 0; lane < count; lane++) {
        result[lane] = left[lane] - right[lane];
      }
      return false;
    }
  }

  private static final class Moments extends BlockKernel {
    private final long unitsPerSecond;
    private final long[] left;
    private final long[] right;
    private final DecimalOutput output;

    Moments(long unitsPerSecond, LongLane left, LongLane right, DecimalOutput output) {
      super(output, left, right);
      this.unitsPerSecond = unitsPerSecond;
      this.left = left.values();
      this.right = right.values();
      this.output = output;
    }

    @Override
    protected boolean compute(int count) {
      long unitsPerDay = SECONDS_PER_DAY * unitsPerSecond;
      for (int lane = 0; lane < count; lane++) {
        long units = left[lane] - right[lane];
        output.low()[lane] = (units / unitsPerDay) << 32;
        output.high()[lane] = units % unitsPerDay * (NANOS_PER_SECOND / unitsPerSecond);
      }
      return false;
    }
  }
}
