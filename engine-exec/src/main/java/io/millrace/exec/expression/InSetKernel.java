package io.millrace.exec.expression;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanLane;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.DoubleLane;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.RowLane;
import io.millrace.exec.kernel.lane.TextLane;
import io.millrace.exec.kernel.logic.ValueOrder;
import io.millrace.exec.kernel.string.ByteStrings;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Membership in a set of constants by hash lookup. With a null candidate a value that is not found
 * gives null.
 */
abstract sealed class InSetKernel extends BlockKernel {
  private final boolean negated;
  private final boolean hasNull;
  private final byte[] truths;

  private InSetKernel(PhysicalExpression.InSet set, Lane input, BooleanOutput output) {
    super(output, input);
    this.negated = set.negated();
    this.hasNull = set.hasNull();
    this.truths = output.values();
  }

  static InSetKernel of(PhysicalExpression.InSet set, BufferAllocator allocator) {
    DataType type = set.value().type();
    FlatVector candidates = candidates(set.candidates(), type, allocator);
    try {
      return switch (StorageTypes.of(type)) {
        case DataType.Int plain -> new Longs(set, candidates);
        case DataType.Date plain -> new Longs(set, candidates);
        case DataType.Time plain -> new Longs(set, candidates);
        case DataType.Timestamp plain -> new Longs(set, candidates);
        case DataType.Duration plain -> new Longs(set, candidates);
        case DataType.Bool plain -> new Booleans(set, candidates);
        case DataType.Float plain -> new Doubles(set, candidates);
        case DataType.Decimal plain -> new Bytes(set, candidates.retain());
        case DataType.Text plain -> new Bytes(set, candidates.retain());
        case DataType.Binary plain -> new Bytes(set, candidates.retain());
        case DataType.FixedBinary plain -> new Bytes(set, candidates.retain());
        default -> new Sorted(set, candidates.retain());
      };
    } finally {
      candidates.close();
    }
  }

  private static FlatVector candidates(
      List<Object> values, DataType type, BufferAllocator allocator) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      values.forEach(builder::appendValue);
      return builder.finish();
    }
  }

  /** Whether an element of the block is in the set. */
  abstract boolean contains(int lane);

  @Override
  protected final boolean compute(int count) {
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) (contains(lane) ^ negated ? 1 : 0);
    }
    return hasNull;
  }

  @Override
  protected final boolean isFaulty(int lane) {
    return truths[lane] == (negated ? 1 : 0);
  }

  @Override
  protected final boolean faultGivesNull() {
    return true;
  }

  private static final class Longs extends InSetKernel {
    private final LongTable table;
    private final long[] values;

    Longs(PhysicalExpression.InSet set, FlatVector candidates) {
      this(set, candidates, new LongLane());
    }

    private Longs(PhysicalExpression.InSet set, FlatVector candidates, LongLane input) {
      super(set, input, new BooleanOutput());
      values = input.values();
      table = new LongTable(candidates.length());
      for (int row = 0; row < candidates.length(); row++) {
        table.add(candidates.longAt(row));
      }
    }

    @Override
    boolean contains(int lane) {
      return table.contains(values[lane]);
    }
  }

  private static final class Doubles extends InSetKernel {
    private final LongTable table;
    private final double[] values;

    Doubles(PhysicalExpression.InSet set, FlatVector candidates) {
      this(set, candidates, new DoubleLane());
    }

    private Doubles(PhysicalExpression.InSet set, FlatVector candidates, DoubleLane input) {
      super(set, input, new BooleanOutput());
      values = input.values();
      table = new LongTable(candidates.length());
      for (int row = 0; row < candidates.length(); row++) {
        table.add(bits(candidates.doubleAt(row)));
      }
    }

    /** One bit pattern for equal values: adding 0.0 makes −0.0 positive, NaN has its canon. */
    private static long bits(double value) {
      return Double.doubleToLongBits(value + 0.0);
    }

    @Override
    boolean contains(int lane) {
      return table.contains(bits(values[lane]));
    }
  }

  private static final class Booleans extends InSetKernel {
    private final boolean[] known = new boolean[2];
    private final byte[] values;

    Booleans(PhysicalExpression.InSet set, FlatVector candidates) {
      this(set, candidates, new BooleanLane());
    }

    private Booleans(PhysicalExpression.InSet set, FlatVector candidates, BooleanLane input) {
      super(set, input, new BooleanOutput());
      values = input.values();
      for (int row = 0; row < candidates.length(); row++) {
        known[candidates.booleanAt(row) ? 1 : 0] = true;
      }
    }

    @Override
    boolean contains(int lane) {
      return known[values[lane]];
    }
  }

  /** Text, binary and decimals by their bytes. */
  private static final class Bytes extends InSetKernel {
    private final FlatVector candidates;
    private final TextLane input;

    /** 1 + row of a candidate, 0 for a free slot. */
    private final int[] slots;

    Bytes(PhysicalExpression.InSet set, FlatVector candidates) {
      this(set, candidates, new TextLane());
    }

    private Bytes(PhysicalExpression.InSet set, FlatVector candidates, TextLane input) {
      super(set, input, new BooleanOutput());
      this.candidates = candidates;
      this.input = input;
      this.slots = new int[Integer.highestOneBit(Math.max(4, candidates.length()) * 2 - 1) << 1];
      for (int row = 0; row < candidates.length(); row++) {
        int slot =
            ByteStrings.hash(
                    candidates.values(), candidates.byteOffsetAt(row), candidates.byteLengthAt(row))
                & slots.length - 1;
        while (slots[slot] != 0) {
          slot = slot + 1 & slots.length - 1;
        }
        slots[slot] = row + 1;
      }
    }

    @Override
    boolean contains(int lane) {
      int start = input.starts()[lane];
      int length = input.lengths()[lane];
      int slot = ByteStrings.hash(input.data(), start, length) & slots.length - 1;
      while (slots[slot] != 0) {
        int row = slots[slot] - 1;
        if (candidates.byteLengthAt(row) == length
            && ByteStrings.equal(
                candidates.values(), candidates.byteOffsetAt(row), input.data(), start, length)) {
          return true;
        }
        slot = slot + 1 & slots.length - 1;
      }
      return false;
    }

    @Override
    public void close() {
      candidates.close();
    }
  }

  /** Other types by their order, in a sorted list. */
  private static final class Sorted extends InSetKernel {
    private final FlatVector candidates;
    private final ValueOrder order;
    private final Integer[] sorted;
    private final RowLane input;

    Sorted(PhysicalExpression.InSet set, FlatVector candidates) {
      this(set, candidates, new RowLane());
    }

    private Sorted(PhysicalExpression.InSet set, FlatVector candidates, RowLane input) {
      super(set, input, new BooleanOutput());
      this.candidates = candidates;
      this.input = input;
      this.order = ValueOrder.of(candidates.type());
      this.sorted = new Integer[candidates.length()];
      Arrays.setAll(sorted, row -> row);
      Arrays.sort(sorted, (left, right) -> order.compare(candidates, left, candidates, right));
    }

    @Override
    boolean contains(int lane) {
      int row = input.rows()[lane];
      if (input.isEmpty() || input.flat().isNull(row)) {
        return false;
      }
      int from = 0;
      int to = sorted.length - 1;
      while (from <= to) {
        int middle = from + to >>> 1;
        int sign = order.compare(candidates, sorted[middle], input.flat(), row);
        if (sign == 0) {
          return true;
        }
        from = sign < 0 ? middle + 1 : from;
        to = sign > 0 ? middle - 1 : to;
      }
      return false;
    }

    @Override
    public void close() {
      candidates.close();
    }
  }
}
