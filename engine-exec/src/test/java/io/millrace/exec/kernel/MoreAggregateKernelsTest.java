package io.millrace.exec.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.FunctionKernels.BoundCall;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.aggregate.AggregateKernels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** Aggregates that keep values: the same in one step and merged from two states. */
class MoreAggregateKernelsTest {
  private static ColumnVector vector(DataType type, List<?> values, BufferAllocator allocator) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      values.forEach(builder::appendValue);
      return builder.finish();
    }
  }

  private static void gives(
      String function,
      List<DataType> types,
      DataType result,
      List<List<?>> columns,
      Object wanted) {
    List<Optional<Object>> constants = types.stream().map(type -> Optional.empty()).toList();
    AggregateKernel kernel =
        new AggregateKernels()
            .aggregate(new BoundCall(function, types, constants, result))
            .orElseThrow();
    int count = columns.getFirst().size();
    int half = count / 2;
    try (BufferAllocator allocator = new RootAllocator()) {
      List<ColumnVector> vectors = new ArrayList<>();
      for (int index = 0; index < types.size(); index++) {
        vectors.add(vector(types.get(index), columns.get(index), allocator));
      }
      List<ColumnVector> first = vectors.stream().map(v -> v.slice(0, half)).toList();
      List<ColumnVector> rest = vectors.stream().map(v -> v.slice(half, count - half)).toList();
      try (AggregateKernel.Accumulator whole = kernel.create(allocator);
          AggregateKernel.Accumulator left = kernel.create(allocator);
          AggregateKernel.Accumulator right = kernel.create(allocator);
          AggregateKernel.Accumulator merged = kernel.create(allocator)) {
        whole.resize(2);
        whole.add(new int[count], vectors, RowSet.all(count));
        check(whole, wanted, allocator);
        left.resize(1);
        left.add(new int[half], first, RowSet.all(half));
        right.resize(1);
        right.add(new int[count - half], rest, RowSet.all(count - half));
        merged.resize(2);
        for (AggregateKernel.Accumulator part : List.of(left, right)) {
          List<ColumnVector> states = part.states(0, 1, allocator);
          merged.merge(new int[1], states, RowSet.all(1));
          states.forEach(ColumnVector::close);
        }
        check(merged, wanted, allocator);
      }
      first.forEach(ColumnVector::close);
      rest.forEach(ColumnVector::close);
      vectors.forEach(ColumnVector::close);
    }
  }

  /** The second group has no rows. */
  private static void check(
      AggregateKernel.Accumulator states, Object wanted, BufferAllocator allocator) {
    try (ColumnVector results = states.results(0, 2, allocator)) {
      assertEquals(wanted, results.valueAt(0));
      assertEquals(true, results.isNull(1));
    }
  }

  @Test
  void listsKeepNulls() {
    List<Long> values = Arrays.asList(3L, null, 1L, 2L);
    gives(
        "array_agg",
        List.of(DataType.INT64),
        DataType.list(DataType.INT64),
        List.of(values),
        values);
  }

  @Test
  void quantiles() {
    List<Double> values = Arrays.asList(4.0, 1.0, null, 3.0, 2.0);
    gives("median", List.of(DataType.FLOAT64), DataType.FLOAT64, List.of(values), 2.5);
    List<Double> shares = List.of(0.25, 0.25, 0.25, 0.25, 0.25);
    gives(
        "percentile_disc",
        List.of(DataType.FLOAT64, DataType.FLOAT64),
        DataType.FLOAT64,
        List.of(values, shares),
        1.0);
  }

  @Test
  void pairsAndBits() {
    List<Double> y = Arrays.asList(2.0, 4.0, 6.0, 9.0);
    List<Double> x = Arrays.asList(1.0, 2.0, 3.0, null);
    List<DataType> both = List.of(DataType.FLOAT64, DataType.FLOAT64);
    gives("regr_slope", both, DataType.FLOAT64, List.of(y, x), 2.0);
    gives("covar_samp", both, DataType.FLOAT64, List.of(y, x), 2.0);
    gives("corr", both, DataType.FLOAT64, List.of(y, x), 1.0);
    gives(
        "bit_xor",
        List.of(DataType.INT64),
        DataType.INT64,
        List.of(Arrays.asList(5L, null, 3L)),
        6L);
  }
}
