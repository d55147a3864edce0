package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.DecimalOutput;
import io.millrace.exec.kernel.lane.DoubleOutput;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongOutput;
import io.millrace.exec.kernel.lane.Output;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import org.apache.arrow.memory.BufferAllocator;

/** Writes one value per group of a range into a new column. */
final class GroupOutput {
  private final int firstGroup;
  private final int groupCount;
  private final BufferAllocator allocator;

  GroupOutput(int firstGroup, int groupCount, BufferAllocator allocator) {
    this.firstGroup = firstGroup;
    this.groupCount = groupCount;
    this.allocator = allocator;
  }

  /** Fills one block of an output from the groups that start at {@code firstGroup}. */
  @FunctionalInterface
  private interface Filler {
    void fill(int firstGroup, int count);
  }

  /** Integers and temporal values; booleans from 0 and 1; groups without a value are null. */
  FlatVector longs(DataType type, IntPredicate present, IntToLongFunction value) {
    if (type instanceof DataType.Bool) {
      BooleanOutput output = new BooleanOutput();
      return write(
          output,
          present,
          (first, count) -> {
            for (int lane = 0; lane < count; lane++) {
              output.values()[lane] = (byte) value.applyAsLong(first + lane);
            }
          });
    }
    LongOutput output = new LongOutput(type);
    return write(
        output,
        present,
        (first, count) -> {
          for (int lane = 0; lane < count; lane++) {
            output.values()[lane] = value.applyAsLong(first + lane);
          }
        });
  }

  /** Floats; groups without a value are null. */
  FlatVector doubles(DataType.Float type, IntPredicate present, IntToDoubleFunction value) {
    DoubleOutput output = new DoubleOutput(type);
    return write(
        output,
        present,
        (first, count) -> {
          for (int lane = 0; lane < count; lane++) {
            output.values()[lane] = value.applyAsDouble(first + lane);
          }
        });
  }

  /** Decimals; groups without a value are null. */
  FlatVector decimals(
      DataType.Decimal type, IntPredicate present, IntToLongFunction high, IntToLongFunction low) {
    DecimalOutput output = new DecimalOutput(type);
    return write(
        output,
        present,
        (first, count) -> {
          for (int lane = 0; lane < count; lane++) {
            output.high()[lane] = high.applyAsLong(first + lane);
            output.low()[lane] = low.applyAsLong(first + lane);
          }
        });
  }

  private FlatVector write(Output output, IntPredicate present, Filler filler) {
    RowSet rows = RowSet.all(groupCount);
    ValidityMask mask = new ValidityMask();
    mask.reset(groupCount);
    for (int row = 0; row < groupCount; row++) {
      if (!present.test(firstGroup + row)) {
        mask.clear(row);
      }
    }
    output.open(groupCount, allocator);
    try {
      for (int from = 0; from < groupCount; from += Lane.BLOCK_ROWS) {
        int count = Math.min(Lane.BLOCK_ROWS, groupCount - from);
        filler.fill(firstGroup + from, count);
        output.store(rows, from, count);
      }
      return output.finish(mask, allocator);
    } finally {
      output.abandon();
    }
  }
}
