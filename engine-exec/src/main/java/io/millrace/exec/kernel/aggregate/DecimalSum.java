package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.DecimalLane;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.math.Int128;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The sum of decimals or 64-bit integers as a decimal of 38 digits; null over no values. */
final class DecimalSum extends LaneAccumulator {
  /** For each group the low and high half and then how many values or states it is of. */
  private static final int BYTES = 24;

  /** Of so few groups the sums of a block are gathered in arrays. */
  private static final int FEW_GROUPS = 64;

  /** A block of values below it adds up within 64 bits. */
  private static final long SMALL_LIMIT = Long.MAX_VALUE / Lane.BLOCK_ROWS;

  private final DataType.Decimal type;
  private final boolean unsigned;
  private final GroupMemory sums;
  private final DecimalLane decimals = new DecimalLane();
  private final LongLane integers;
  private final long[] blockSums = new long[FEW_GROUPS];
  private final int[] blockCounts = new int[FEW_GROUPS];

  /**
   * @param argument a decimal or a 64-bit integer
   */
  DecimalSum(DataType argument, DataType.Decimal type, BufferAllocator allocator) {
    this.type = type;
    this.integers = argument instanceof DataType.Int ? new LongLane() : null;
    this.unsigned = argument instanceof DataType.Int integer && !integer.signed();
    this.sums = new GroupMemory(BYTES, allocator);
  }

  @Override
  void grow(int newGroupCount) {
    sums.resize(newGroupCount);
  }

  @Override
  List<Lane> inputs() {
    return List.of(integers == null ? decimals : integers);
  }

  @Override
  List<Lane> stateInputs() {
    return List.of(decimals);
  }

  @Override
  void accumulate(int[] groups, int from, int count) {
    if (integers == null) {
      combine(groups, from, count);
    } else if (unsigned) {
      addUnsigned(groups, from, count);
    } else {
      addNarrow(integers.values(), groups, from, count);
    }
  }

  @Override
  void combine(int[] groups, int from, int count) {
    if (decimals.isNarrow()) {
      addNarrow(decimals.low(), groups, from, count);
    } else {
      addWide(groups, from, count);
    }
  }

  /** 64-bit values cannot overflow 128 bits in any number of rows that there can be. */
  private void addNarrow(long[] values, int[] groups, int from, int count) {
    MemorySegment memory = sums.segment();
    if (groupCount() == 1) {
      addNarrowOne(memory, values, count);
      return;
    }
    if (groupCount() <= FEW_GROUPS && areSmall(values, count)) {
      addSmall(values, groups, from, count);
      return;
    }
    for (int lane = 0; lane < count; lane++) {
      long place = (long) BYTES * groups[from + lane];
      long value = values[lane];
      long old = memory.get(Layouts.INT64, place);
      long sum = old + value;
      long carry = (old & value | (old | value) & ~sum) >>> 63;
      memory.set(Layouts.INT64, place, sum);
      memory.set(
          Layouts.INT64, place + 8, memory.get(Layouts.INT64, place + 8) + (value >> 63) + carry);
      memory.set(Layouts.INT64, place + 16, memory.get(Layouts.INT64, place + 16) + 1);
    }
  }

  /** Whether a block of such values cannot overflow 64 bits. */
  private static boolean areSmall(long[] values, int count) {
    long bits = 0;
    for (int lane = 0; lane < count; lane++) {
      bits |= values[lane] ^ values[lane] >> 63;
    }
    return bits < SMALL_LIMIT;
  }

  /** Sums of the block in 64 bits, added to the groups at its end. */
  private void addSmall(long[] values, int[] groups, int from, int count) {
    long[] blockSums = this.blockSums;
    int[] blockCounts = this.blockCounts;
    for (int lane = 0; lane < count; lane++) {
      int group = groups[from + lane];
      blockSums[group] += values[lane];
      blockCounts[group]++;
    }
    MemorySegment memory = sums.segment();
    for (int group = 0; group < groupCount(); group++) {
      if (blockCounts[group] != 0) {
        long place = (long) BYTES * group;
        long value = blockSums[group];
        long old = memory.get(Layouts.INT64, place);
        long sum = old + value;
        long carry = (old & value | (old | value) & ~sum) >>> 63;
        long high = memory.get(Layouts.INT64, place + 8) + (value >> 63) + carry;
        memory.set(Layouts.INT64, place, sum);
        memory.set(Layouts.INT64, place + 8, high);
        memory.set(
            Layouts.INT64, place + 16, memory.get(Layouts.INT64, place + 16) + blockCounts[group]);
        blockSums[group] = 0;
        blockCounts[group] = 0;
      }
    }
  }

  private static void addNarrowOne(MemorySegment memory, long[] values, int count) {
    long low = memory.get(Layouts.INT64, 0);
    long high = memory.get(Layouts.INT64, 8);
    for (int lane = 0; lane < count; lane++) {
      long value = values[lane];
      long sum = low + value;
      high += (value >> 63) + ((low & value | (low | value) & ~sum) >>> 63);
      low = sum;
    }
    memory.set(Layouts.INT64, 0, low);
    memory.set(Layouts.INT64, 8, high);
    memory.set(Layouts.INT64, 16, memory.get(Layouts.INT64, 16) + count);
  }

  private void addUnsigned(int[] groups, int from, int count) {
    for (int lane = 0; lane < count; lane++) {
      add(groups[from + lane], 0, integers.values()[lane]);
    }
  }

  private void addWide(int[] groups, int from, int count) {
    for (int lane = 0; lane < count; lane++) {
      add(groups[from + lane], decimals.high()[lane], decimals.low()[lane]);
    }
  }

  private void add(int group, long high, long low) {
    MemorySegment memory = sums.segment();
    long place = (long) BYTES * group;
    long oldLow = memory.get(Layouts.INT64, place);
    long oldHigh = memory.get(Layouts.INT64, place + 8);
    long sumLow = oldLow + low;
    long sumHigh = oldHigh + high + ((oldLow & low | (oldLow | low) & ~sumLow) >>> 63);
    if (((oldHigh ^ sumHigh) & (high ^ sumHigh)) < 0) {
      throw overflow();
    }
    memory.set(Layouts.INT64, place, sumLow);
    memory.set(Layouts.INT64, place + 8, sumHigh);
    memory.set(Layouts.INT64, place + 16, memory.get(Layouts.INT64, place + 16) + 1);
  }

  private MillraceException overflow() {
    return new MillraceException(
        ErrorCode.NUMERIC_OVERFLOW,
        "A sum has more than 38 digits; cast the argument to float64 or to less scale: " + type);
  }

  /** Whether the group has a value. */
  boolean isPresent(int group) {
    return sums.segment().get(Layouts.INT64, (long) BYTES * group + 16) != 0;
  }

  /** The sum of a group. */
  BigDecimal sumOf(int group) {
    return Int128.toDecimal(high(group), low(group), type.scale());
  }

  private long low(int group) {
    return sums.segment().get(Layouts.INT64, (long) BYTES * group);
  }

  private long high(int group) {
    return sums.segment().get(Layouts.INT64, (long) BYTES * group + 8);
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    return List.of(results(firstGroup, groupCount, allocator));
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    for (int group = firstGroup; group < firstGroup + groupCount; group++) {
      if (!Int128.fits(high(group), low(group), type.precision())) {
        throw overflow();
      }
    }
    return new GroupOutput(firstGroup, groupCount, allocator)
        .decimals(type, this::isPresent, this::high, this::low);
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
