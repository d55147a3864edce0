package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.AggregateKernel.Accumulator;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The value of the one row of a group, null or not; null over no rows. A second row, whatever its
 * value, is the error MULTIPLE_ROWS.
 */
final class SingleValueAccumulator implements Accumulator {
  private final ValueExtreme values;
  private final CountAccumulator counts;

  SingleValueAccumulator(DataType type, BufferAllocator allocator) {
    this.values = new ValueExtreme(type, order -> false, allocator);
    this.counts = new CountAccumulator(allocator);
  }

  @Override
  public void resize(int groupCount) {
    values.resize(groupCount);
    counts.resize(groupCount);
  }

  @Override
  public void add(int[] groups, List<ColumnVector> arguments, RowSet rows) {
    counts.add(groups, List.of(), rows);
    requireOneRow(groups, rows);
    values.add(groups, arguments, rows);
  }

  @Override
  public void merge(int[] groups, List<ColumnVector> states, RowSet rows) {
    counts.merge(groups, states.subList(1, 2), rows);
    requireOneRow(groups, rows);
    values.merge(groups, states.subList(0, 1), rows);
  }

  private void requireOneRow(int[] groups, RowSet rows) {
    for (int index = 0; index < rows.count(); index++) {
      if (counts.countOf(groups[index]) > 1) {
        throw new MillraceException(
            ErrorCode.MULTIPLE_ROWS,
            "A subquery that stands for one value gave more than one row; aggregate it or add"
                + " LIMIT 1");
      }
    }
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    List<ColumnVector> states = new ArrayList<>(values.states(firstGroup, groupCount, allocator));
    try {
      states.add(counts.results(firstGroup, groupCount, allocator));
      return states;
    } catch (RuntimeException | Error failure) {
      states.forEach(ColumnVector::close);
      throw failure;
    }
  }

  @Override
  public ColumnVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    return values.results(firstGroup, groupCount, allocator);
  }

  @Override
  public long retainedBytes() {
    return values.retainedBytes() + counts.retainedBytes();
  }

  @Override
  public void close() {
    values.close();
    counts.close();
  }
}
