package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.BooleanLane;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The least or greatest integer, temporal value or boolean; null over no values. The greatest is
 * found as the least of complements, unsigned values with their top bit flipped.
 */
final class LongExtreme extends LaneAccumulator {
  /** For each group the value, changed so that the least wins, and whether there is one. */
  private static final int BYTES = 16;

  private final DataType type;
  private final long change;
  private final GroupMemory values;
  private final LongLane longs = new LongLane();
  private final BooleanLane booleans = new BooleanLane();
  private final long[] candidates;

  LongExtreme(DataType type, boolean greatest, BufferAllocator allocator) {
    boolean unsigned = type instanceof DataType.Int integer && !integer.signed();
    this.type = type;
    this.change = (greatest ? -1L : 0) ^ (unsigned ? Long.MIN_VALUE : 0);
    this.values = new GroupMemory(BYTES, allocator);
    this.candidates = type instanceof DataType.Bool ? new long[Lane.BLOCK_ROWS] : longs.values();
  }

  @Override
  void grow(int newGroupCount) {
    values.resize(newGroupCount);
  }

  @Override
  List<Lane> inputs() {
    return List.of(type instanceof DataType.Bool ? booleans : longs);
  }

  @Override
  List<Lane> stateInputs() {
    return inputs();
  }

  @Override
  void accumulate(int[] groups, int from, int count) {
    if (type instanceof DataType.Bool) {
      for (int lane = 0; lane < count; lane++) {
        candidates[lane] = booleans.values()[lane];
      }
    }
    MemorySegment memory = values.segment();
    for (int lane = 0; lane < count; lane++) {
      long place = (long) BYTES * groups[from + lane];
      long candidate = candidates[lane] ^ change;
      long best = memory.get(Layouts.INT64, place);
      boolean present = memory.get(Layouts.INT64, place + 8) != 0;
      memory.set(Layouts.INT64, place, present ? Math.min(best, candidate) : candidate);
      memory.set(Layouts.INT64, place + 8, 1);
    }
  }

  @Override
  void combine(int[] groups, int from, int count) {
    accumulate(groups, from, count);
  }

  private boolean isPresent(int group) {
    return values.segment().get(Layouts.INT64, (long) BYTES * group + 8) != 0;
  }

  private long valueOf(int group) {
    return values.segment().get(Layouts.INT64, (long) BYTES * group) ^ change;
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    return List.of(results(firstGroup, groupCount, allocator));
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    return new GroupOutput(firstGroup, groupCount, allocator)
        .longs(type, this::isPresent, group -> isPresent(group) ? valueOf(group) : 0);
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
