package io.millrace.exec.fake;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.FunctionKernels;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/** {@code count} of rows or values and {@code sum} of int64, over Java values. */
public final class RowAggregates implements FunctionKernels {
  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return Optional.empty();
  }

  @Override
  public Optional<AggregateKernel> aggregate(BoundCall call) {
    boolean sum = call.function().equals("sum");
    return sum || call.function().equals("count")
        ? Optional.of(allocator -> new LongStates(sum))
        : Optional.empty();
  }

  /** One Long a group; null while a sum has seen no value. */
  private static final class LongStates implements AggregateKernel.Accumulator {
    private final boolean sum;
    private final List<Long> states = new ArrayList<>();

    LongStates(boolean sum) {
      this.sum = sum;
    }

    @Override
    public void resize(int groupCount) {
      while (states.size() < groupCount) {
        states.add(sum ? null : 0L);
      }
    }

    @Override
    public void add(int[] groups, List<ColumnVector> arguments, RowSet rows) {
      for (int position = 0; position < rows.count(); position++) {
        Object value =
            arguments.isEmpty() ? Long.valueOf(1) : arguments.get(0).valueAt(rows.row(position));
        if (value != null) {
          plus(groups[position], sum ? ((Number) value).longValue() : 1);
        }
      }
    }

    @Override
    public void merge(int[] groups, List<ColumnVector> merged, RowSet rows) {
      for (int position = 0; position < rows.count(); position++) {
        Object value = merged.get(0).valueAt(rows.row(position));
        if (value != null) {
          plus(groups[position], (Long) value);
        }
      }
    }

    private void plus(int group, long amount) {
      Long before = states.get(group);
      states.set(group, before == null ? amount : before + amount);
    }

    @Override
    public List<ColumnVector> states(int first, int count, BufferAllocator allocator) {
      return List.of(results(first, count, allocator));
    }

    @Override
    public ColumnVector results(int first, int count, BufferAllocator allocator) {
      try (VectorBuilder builder = new VectorBuilder(DataType.INT64, allocator)) {
        states.subList(first, first + count).forEach(builder::appendValue);
        return builder.finish();
      }
    }

    @Override
    public long retainedBytes() {
      return 16L * states.size();
    }

    @Override
    public void close() {
      states.clear();
    }
  }
}
