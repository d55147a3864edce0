package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The sum of integers of up to 32 bits as int64; null over no values. */
final class LongSum extends LaneAccumulator {
  /** For each group the sum and then how many values or states it is of. */
  private static final int BYTES = 16;

  private final GroupMemory sums;
  private final LongLane input = new LongLane();

  LongSum(BufferAllocator allocator) {
    sums = new GroupMemory(BYTES, allocator);
  }

  @Override
  void grow(int newGroupCount) {
    sums.resize(newGroupCount);
  }

  @Override
  List<Lane> inputs() {
    return List.of(input);
  }

  @Override
  List<Lane> stateInputs() {
    return List.of(input);
  }

  @Override
  void accumulate(int[] groups, int from, int count) {
    MemorySegment memory = sums.segment();
    long[] values = input.values();
    if (groupCount() == 1) {
      accumulateOne(memory, values, count);
      return;
    }
    long overflow = 0;
    for (int lane = 0; lane < count; lane++) {
      long place = (long) BYTES * groups[from + lane];
      long old = memory.get(Layouts.INT64, place);
      long sum = old + values[lane];
      overflow |= (old ^ sum) & (values[lane] ^ sum);
      memory.set(Layouts.INT64, place, sum);
      memory.set(Layouts.INT64, place + 8, memory.get(Layouts.INT64, place + 8) + 1);
    }
    requireNone(overflow);
  }

  private static void accumulateOne(MemorySegment memory, long[] values, int count) {
    long sum = memory.get(Layouts.INT64, 0);
    long overflow = 0;
    for (int lane = 0; lane < count; lane++) {
      long next = sum + values[lane];
      overflow |= (sum ^ next) & (values[lane] ^ next);
      sum = next;
    }
    memory.set(Layouts.INT64, 0, sum);
    memory.set(Layouts.INT64, 8, memory.get(Layouts.INT64, 8) + count);
    requireNone(overflow);
  }

  private static void requireNone(long overflow) {
    if (overflow < 0) {
      throw new MillraceException(
          ErrorCode.NUMERIC_OVERFLOW,
          "A sum does not fit int64; cast the argument to decimal(38, 0)");
    }
  }

  @Override
  void combine(int[] groups, int from, int count) {
    accumulate(groups, from, count);
  }

  /** Whether the group has a value. */
  boolean isPresent(int group) {
    return sums.segment().get(Layouts.INT64, (long) BYTES * group + 8) != 0;
  }

  long sumOf(int group) {
    return sums.segment().get(Layouts.INT64, (long) BYTES * group);
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    return List.of(results(firstGroup, groupCount, allocator));
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    return new GroupOutput(firstGroup, groupCount, allocator)
        .longs(DataType.INT64, this::isPresent, this::sumOf);
  }

  @Override
  public long retainedBytes() {
    return sums.bytes();
  }

  @Override
  public void close() {
    sums.close();
  }
}
