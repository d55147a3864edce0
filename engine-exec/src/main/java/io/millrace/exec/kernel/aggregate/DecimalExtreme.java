package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.DecimalLane;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.math.Int128;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The least or greatest decimal; null over no values. */
final class DecimalExtreme extends LaneAccumulator {
  /** For each group the low and high half and whether there is a value. */
  private static final int BYTES = 24;

  private final DataType.Decimal type;
  private final boolean greatest;
  private final GroupMemory values;
  private final DecimalLane input = new DecimalLane();

  DecimalExtreme(DataType.Decimal type, boolean greatest, BufferAllocator allocator) {
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
    long[] high = input.high();
    long[] low = input.low();
    for (int lane = 0; lane < count; lane++) {
      long place = (long) BYTES * groups[from + lane];
      boolean first = memory.get(Layouts.INT64, place + 16) == 0;
      int order =
          Int128.compare(
              high[lane],
              low[lane],
              memory.get(Layouts.INT64, place + 8),
              memory.get(Layouts.INT64, place));
      if (first || (greatest ? order > 0 : order < 0)) {
        memory.set(Layouts.INT64, place, low[lane]);
        memory.set(Layouts.INT64, place + 8, high[lane]);
        memory.set(Layouts.INT64, place + 16, 1);
      }
    }
  }

  @Override
  void combine(int[] groups, int from, int count) {
    accumulate(groups, from, count);
  }

  private boolean isPresent(int group) {
    return values.segment().get(Layouts.INT64, (long) BYTES * group + 16) != 0;
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    return List.of(results(firstGroup, groupCount, allocator));
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    MemorySegment memory = values.segment();
    return new GroupOutput(firstGroup, groupCount, allocator)
        .decimals(
            type,
            this::isPresent,
            group -> memory.get(Layouts.INT64, (long) BYTES * group + 8),
            group -> memory.get(Layouts.INT64, (long) BYTES * group));
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
