package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.logic.ValueOrder;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A percentile of a group's values: the first value in order whose share of the values reaches the
 * fraction, or, of float64, the value in between its neighbours. Null over no values. The fraction
 * is the same for all rows; a negative one, −1 − f, asks for f in descending order.
 */
final class PercentileAccumulator implements AggregateKernel.Accumulator {
  private final DataType type;
  private final boolean interpolates;
  private final ValueOrder order;
  private final CollectedValues values;
  private final BufferAllocator allocator;
  private double fraction;
  private int groupCount;

  PercentileAccumulator(DataType type, boolean interpolates, BufferAllocator allocator) {
    this(type, interpolates, Double.NaN, allocator);
  }

  /**
   * @param fraction what counts without a second argument
   */
  PercentileAccumulator(
      DataType type, boolean interpolates, double fraction, BufferAllocator allocator) {
    this.fraction = fraction;
    this.type = type;
    this.interpolates = interpolates;
    this.order = ValueOrder.of(type);
    this.values = new CollectedValues(type, allocator);
    this.allocator = allocator;
  }

  @Override
  public void resize(int newGroupCount) {
    groupCount = Math.max(groupCount, newGroupCount);
  }

  @Override
  public void add(int[] groups, List<ColumnVector> arguments, RowSet rows) {
    values.add(groups, arguments.get(0), rows, false);
    if (arguments.size() > 1) {
      readFraction(arguments.get(1), rows);
    }
  }

  private void readFraction(ColumnVector fractions, RowSet rows) {
    if (rows.count() == 0 || !(fractions.valueAt(rows.row(0)) instanceof Double given)) {
      return;
    }
    fraction = given;
    if (!(ascendingShare() >= 0 && ascendingShare() <= 1)) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "A percentile's fraction is from 0 to 1: " + given);
    }
  }

  private double ascendingShare() {
    return fraction < 0 ? -1 - fraction : fraction;
  }

  @Override
  public void merge(int[] groups, List<ColumnVector> states, RowSet rows) {
    try (FlatVector lists = states.get(0).flatten(allocator)) {
      values.addLists(groups, lists, rows);
    }
    readFraction(states.get(1), rows);
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int count, BufferAllocator target) {
    FlatVector lists = values.lists(DataType.list(type), firstGroup, count, groupCount, target);
    try (VectorBuilder fractions = new VectorBuilder(DataType.FLOAT64, target)) {
      for (int group = 0; group < count; group++) {
        if (Double.isNaN(fraction)) {
          fractions.appendNull();
        } else {
          fractions.appendDouble(fraction);
        }
      }
      return List.of(lists, fractions.finish());
    }
  }

  @Override
  public ColumnVector results(int firstGroup, int count, BufferAllocator target) {
    try (FlatVector all = values.values(firstGroup, count, groupCount, target)) {
      int[] chosen = new int[count];
      double[] between = new double[count];
      int next = 0;
      for (int index = 0; index < count; index++) {
        int size = values.count(firstGroup + index, groupCount);
        chosen[index] = -1;
        if (size > 0) {
          Integer[] sorted = sorted(all, next, size);
          chosen[index] = sorted[discretePlace(size)];
          between[index] = interpolates ? between(all, sorted) : 0;
        }
        next += size;
      }
      return interpolates
          ? doubles(chosen, between, target)
          : Gather.flat(all, chosen, count, target);
    }
  }

  private Integer[] sorted(FlatVector all, int from, int size) {
    Integer[] places = new Integer[size];
    for (int index = 0; index < size; index++) {
      places[index] = from + index;
    }
    Arrays.sort(
        places,
        fraction < 0
            ? (left, right) -> order.compare(all, right, all, left)
            : (left, right) -> order.compare(all, left, all, right));
    return places;
  }

  private int discretePlace(int size) {
    return Math.clamp((long) Math.ceil(ascendingShare() * size) - 1, 0, size - 1);
  }

  private double between(FlatVector all, Integer[] sorted) {
    double place = ascendingShare() * (sorted.length - 1);
    int low = (int) Math.floor(place);
    int high = (int) Math.ceil(place);
    double first = all.doubleAt(sorted[low]);
    double second = all.doubleAt(sorted[high]);
    return low == high ? first : first + (second - first) * (place - low);
  }

  private static FlatVector doubles(int[] chosen, double[] values, BufferAllocator target) {
    try (VectorBuilder builder = new VectorBuilder(DataType.FLOAT64, target)) {
      for (int index = 0; index < values.length; index++) {
        if (chosen[index] < 0) {
          builder.appendNull();
        } else {
          builder.appendDouble(values[index]);
        }
      }
      return builder.finish();
    }
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
