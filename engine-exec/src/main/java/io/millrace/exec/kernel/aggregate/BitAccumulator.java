package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.apache.arrow.memory.BufferAllocator;

/** Integers combined bit by bit; null over no values. */
final class BitAccumulator extends LaneAccumulator {
  /** For each group the bits and then how many values or states they are of. */
  private static final int BYTES = 16;

  private final DataType type;
  private final LongBinaryOperator operator;
  private final GroupMemory bits;
  private final LongLane input = new LongLane();

  BitAccumulator(DataType type, LongBinaryOperator operator, BufferAllocator allocator) {
    this.type = type;
    this.operator = operator;
    this.bits = new GroupMemory(BYTES, allocator);
  }

  @Override
  void grow(int newGroupCount) {
    bits.resize(newGroupCount);
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
    MemorySegment memory = bits.segment();
    for (int lane = 0; lane < count; lane++) {
      long place = (long) BYTES * groups[from + lane];
      long seen = memory.get(Layouts.INT64, place + 8);
      long value = input.values()[lane];
      long combined =
          seen == 0 ? value : operator.applyAsLong(memory.get(Layouts.INT64, place), value);
      memory.set(Layouts.INT64, place, combined);
      memory.set(Layouts.INT64, place + 8, seen + 1);
    }
  }

  @Override
  void combine(int[] groups, int from, int count) {
    accumulate(groups, from, count);
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    return List.of(results(firstGroup, groupCount, allocator));
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    MemorySegment memory = bits.segment();
    return new GroupOutput(firstGroup, groupCount, allocator)
        .longs(
            type,
            group -> memory.get(Layouts.INT64, (long) BYTES * group + 8) != 0,
            group -> memory.get(Layouts.INT64, (long) BYTES * group));
  }

  @Override
  public long retainedBytes() {
    return bits.bytes();
  }

  @Override
  public void close() {
    bits.close();
  }
}
