package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Number of rows, or of rows whose arguments are not null. Never null. */
final class CountAccumulator extends LaneAccumulator {
  /** Of so few groups the rows of a block are counted in an array. */
  private static final int FEW_GROUPS = 64;

  private final int[] blockCounts = new int[FEW_GROUPS];
  private final GroupMemory counts;
  private final LongLane states = new LongLane();

  CountAccumulator(BufferAllocator allocator) {
    counts = new GroupMemory(8, allocator);
  }

  @Override
  void grow(int newGroupCount) {
    counts.resize(newGroupCount);
  }

  @Override
  List<Lane> inputs() {
    return List.of();
  }

  @Override
  List<Lane> stateInputs() {
    return List.of(states);
  }

  @Override
  void accumulate(int[] groups, int from, int count) {
    MemorySegment memory = counts.segment();
    if (groupCount() == 1) {
      memory.set(Layouts.INT64, 0, memory.get(Layouts.INT64, 0) + count);
      return;
    }
    if (groupCount() <= FEW_GROUPS) {
      for (int lane = 0; lane < count; lane++) {
        blockCounts[groups[from + lane]]++;
      }
      for (int group = 0; group < groupCount(); group++) {
        long place = 8L * group;
        memory.set(Layouts.INT64, place, memory.get(Layouts.INT64, place) + blockCounts[group]);
        blockCounts[group] = 0;
      }
      return;
    }
    for (int lane = 0; lane < count; lane++) {
      long place = 8L * groups[from + lane];
      memory.set(Layouts.INT64, place, memory.get(Layouts.INT64, place) + 1);
    }
  }

  @Override
  void combine(int[] groups, int from, int count) {
    MemorySegment memory = counts.segment();
    for (int lane = 0; lane < count; lane++) {
      long place = 8L * groups[from + lane];
      memory.set(Layouts.INT64, place, memory.get(Layouts.INT64, place) + states.values()[lane]);
    }
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    return List.of(results(firstGroup, groupCount, allocator));
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    return new GroupOutput(firstGroup, groupCount, allocator)
        .longs(DataType.INT64, group -> true, this::countOf);
  }

  long countOf(int group) {
    return counts.segment().get(Layouts.INT64, 8L * group);
  }

  @Override
  public long retainedBytes() {
    return counts.bytes();
  }

  @Override
  public void close() {
    counts.close();
  }
}
