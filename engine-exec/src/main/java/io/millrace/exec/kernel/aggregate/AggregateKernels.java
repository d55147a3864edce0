package io.millrace.exec.kernel.aggregate;

import io.millrace.core.function.aggregate.Aggregates;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.AggregateKernel.Accumulator;
import io.millrace.core.spi.FunctionKernels;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongBinaryOperator;
import org.apache.arrow.memory.BufferAllocator;

/** Kernels of the aggregates. */
public final class AggregateKernels implements FunctionKernels {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return Optional.empty();
  }

  @Override
  public Optional<AggregateKernel> aggregate(BoundCall call) {
    DataType argument = call.arguments().isEmpty() ? DataType.NULL : call.arguments().get(0);
    return switch (call.function()) {
      case "count" -> Optional.of(CountAccumulator::new);
      case "sum" -> Optional.of(allocator -> sum(argument, allocator));
      case "avg" ->
          Optional.of(allocator -> new AverageAccumulator(sum(argument, allocator), allocator));
      case "min", "bool_and" -> Optional.of(allocator -> extreme(argument, false, allocator));
      case "max", "bool_or" -> Optional.of(allocator -> extreme(argument, true, allocator));
      case "any_value" ->
          Optional.of(allocator -> new ValueExtreme(argument, order -> false, allocator));
      case "single_value" ->
          Optional.of(allocator -> new SingleValueAccumulator(argument, allocator));
      case "array_agg" -> Optional.of(allocator -> new ListAccumulator(argument, false, allocator));
      case "string_agg" -> Optional.of(allocator -> new ListAccumulator(argument, true, allocator));
      case "percentile_cont" ->
          Optional.of(allocator -> new PercentileAccumulator(argument, true, allocator));
      case "percentile_disc" ->
          Optional.of(allocator -> new PercentileAccumulator(argument, false, allocator));
      case "var_pop" -> spread(false, false);
      case "var_samp" -> spread(true, false);
      case "stddev_pop" -> spread(false, true);
      case "stddev_samp" -> spread(true, true);
      case "median" ->
          Optional.of(allocator -> new PercentileAccumulator(argument, true, 0.5, allocator));
      case "bit_and" -> bits(argument, (left, right) -> left & right);
      case "bit_or" -> bits(argument, (left, right) -> left | right);
      case "bit_xor" -> bits(argument, (left, right) -> left ^ right);
      case "regr_count" -> Optional.of(CountAccumulator::new);
      case "covar_pop",
          "covar_samp",
          "corr",
          "regr_slope",
          "regr_intercept",
          "regr_r2",
          "regr_avgx",
          "regr_avgy",
          "regr_sxx",
          "regr_syy",
          "regr_sxy" -> {
        PairAccumulator.Measure measure =
            PairAccumulator.Measure.valueOf(call.function().toUpperCase(Locale.ROOT));
        yield Optional.of(allocator -> new PairAccumulator(measure, allocator));
      }
      default -> Optional.empty();
    };
  }

  private static Optional<AggregateKernel> bits(DataType type, LongBinaryOperator operator) {
    return Optional.of(allocator -> new BitAccumulator(type, operator, allocator));
  }

  private static Optional<AggregateKernel> spread(boolean sample, boolean root) {
    return Optional.of(
        allocator -> new SpreadAccumulator(new SpreadAccumulator.Measure(sample, root), allocator));
  }

  private static Accumulator sum(DataType argument, BufferAllocator allocator) {
    return switch (Aggregates.sumType(argument)) {
      case DataType.Decimal type -> new DecimalSum(argument, type, allocator);
      case DataType.Int type -> new LongSum(allocator);
      default -> new DoubleSum(allocator);
    };
  }

  private static Accumulator extreme(DataType type, boolean greatest, BufferAllocator allocator) {
    return switch (StorageTypes.of(type)) {
      case DataType.Bool plain -> new LongExtreme(plain, greatest, allocator);
      case DataType.Int plain -> new LongExtreme(type, greatest, allocator);
      case DataType.Date plain -> new LongExtreme(plain, greatest, allocator);
      case DataType.Time plain -> new LongExtreme(plain, greatest, allocator);
      case DataType.Timestamp plain -> new LongExtreme(plain, greatest, allocator);
      case DataType.Duration plain -> new LongExtreme(plain, greatest, allocator);
      case DataType.Float plain -> new DoubleExtreme(plain, greatest, allocator);
      case DataType.Decimal plain -> new DecimalExtreme(plain, greatest, allocator);
      default -> new ValueExtreme(type, order -> greatest ? order > 0 : order < 0, allocator);
    };
  }
}
