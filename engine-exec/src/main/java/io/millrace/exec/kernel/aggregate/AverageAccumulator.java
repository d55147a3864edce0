package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.AggregateKernel.Accumulator;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The mean as float64 from an exact sum (of exact types) and a count; null over no values. */
final class AverageAccumulator implements Accumulator {
  private final Accumulator sums;
  private final CountAccumulator counts;

  AverageAccumulator(Accumulator sums, BufferAllocator allocator) {
    this.sums = sums;
    this.counts = new CountAccumulator(allocator);
  }

  @Override
  public void resize(int groupCount) {
    sums.resize(groupCount);
    counts.resize(groupCount);
  }

  @Override
  public void add(int[] groups, List<ColumnVector> arguments, RowSet rows) {
    sums.add(groups, arguments, rows);
    counts.add(groups, arguments, rows);
  }

  @Override
  public void merge(int[] groups, List<ColumnVector> states, RowSet rows) {
    sums.merge(groups, states.subList(0, 1), rows);
    counts.merge(groups, states.subList(1, 2), rows);
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    List<ColumnVector> states = new ArrayList<>(sums.states(firstGroup, groupCount, allocator));
    try {
      states.add(counts.results(firstGroup, groupCount, allocator));
      return states;
    } catch (RuntimeException | Error failure) {
      states.forEach(ColumnVector::close);
      throw failure;
    }
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    GroupOutput output = new GroupOutput(firstGroup, groupCount, allocator);
    return switch (sums) {
      case LongSum longs ->
          output.doubles(
              DataType.FLOAT64,
              longs::isPresent,
              group -> (double) longs.sumOf(group) / counts.countOf(group));
      case DoubleSum doubles ->
          output.doubles(
              DataType.FLOAT64,
              doubles::isPresent,
              group -> doubles.sumOf(group) / counts.countOf(group));
      case DecimalSum decimals ->
          output.doubles(
              DataType.FLOAT64,
              decimals::isPresent,
              group -> quotient(decimals.sumOf(group), counts.countOf(group)));
      default -> throw new IllegalStateException("Not a sum: " + sums);
    };
  }

  private static double quotient(BigDecimal sum, long count) {
    return count == 0 ? 0 : sum.doubleValue() / count;
  }

  @Override
  public long retainedBytes() {
    return sums.retainedBytes() + counts.retainedBytes();
  }

  @Override
  public void close() {
    sums.close();
    counts.close();
  }
}
