package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.DoubleLane;
import io.millrace.exec.kernel.lane.Lane;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The sum of floats as float64; null over no values. */
final class DoubleSum extends LaneAccumulator {
  /** For each group the sum and then how many values or states it is of. */
  private static final int BYTES = 16;

  private final GroupMemory sums;
  private final DoubleLane input = new DoubleLane();

  DoubleSum(BufferAllocator allocator) {
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
    double[] values = input.values();
    if (groupCount() == 1) {
      double sum = memory.get(Layouts.FLOAT64, 0);
      for (int lane = 0; lane < count; lane++) {
        sum += values[lane];
      }
      memory.set(Layouts.FLOAT64, 0, sum);
      memory.set(Layouts.INT64, 8, memory.get(Layouts.INT64, 8) + count);
      return;
    }
    for (int lane = 0; lane < count; lane++) {
      long place = (long) BYTES * groups[from + lane];
      memory.set(Layouts.FLOAT64, place, memory.get(Layouts.FLOAT64, place) + values[lane]);
      memory.set(Layouts.INT64, place + 8, memory.get(Layouts.INT64, place + 8) + 1);
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

  double sumOf(int group) {
    return sums.segment().get(Layouts.FLOAT64, (long) BYTES * group);
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    return List.of(results(firstGroup, groupCount, allocator));
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    return new GroupOutput(firstGroup, groupCount, allocator)
        .doubles(DataType.FLOAT64, this::isPresent, this::sumOf);
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
