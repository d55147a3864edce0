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

/** The least or greatest float, where NaN is above all else; null over no values. */
final class DoubleExtreme extends LaneAccumulator {
  /** For each group the value and whether there is one. */
  private static final int BYTES = 16;

  private final DataType.Float type;
  private final boolean greatest;
  private final GroupMemory values;
  private final DoubleLane input = new DoubleLane();

  DoubleExtreme(DataType.Float type, boolean greatest, BufferAllocator allocator) {
    this.type = type;
    this.greatest = greatest;
    this.values = new GroupMemory(BYTES, allocator);
  }

  @Override
  void grow(int newGroupCount) {
    values.resize(newGroupCount);
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
    MemorySegment memory = values.segment();
    double[] candidates = input.values();
    for (int lane = 0; lane < count; lane++) {
      long place = (long) BYTES * groups[from + lane];
      double candidate = candidates[lane];
      double best = memory.get(Layouts.FLOAT64, place);
      boolean first = memory.get(Layouts.INT64, place + 8) == 0;
      if (first || isBetter(candidate, best)) {
        memory.set(Layouts.FLOAT64, place, candidate);
        memory.set(Layouts.INT64, place + 8, 1);
      }
    }
  }

  private boolean isBetter(double candidate, double best) {
    return greatest
        ? candidate > best || Double.isNaN(candidate)
        : candidate < best || Double.isNaN(best);
  }

  @Override
  void combine(int[] groups, int from, int count) {
    accumulate(groups, from, count);
  }

  private boolean isPresent(int group) {
    return values.segment().get(Layouts.INT64, (long) BYTES * group + 8) != 0;
  }

  private double valueOf(int group) {
    return values.segment().get(Layouts.FLOAT64, (long) BYTES * group);
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    return List.of(results(firstGroup, groupCount, allocator));
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    return new GroupOutput(firstGroup, groupCount, allocator)
        .doubles(type, this::isPresent, this::valueOf);
  }

  @Override
  public long retainedBytes() {
    return values.bytes();
  }

  @Override
  public void close() {
    values.close();
  }
}
