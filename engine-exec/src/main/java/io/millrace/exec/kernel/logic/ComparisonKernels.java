package io.millrace.exec.kernel.logic;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.kernel.ScalarKernelFamily;
import java.util.Optional;

/** Kernels of the comparisons. */
public final class ComparisonKernels implements ScalarKernelFamily {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return switch (call.function()) {
      case "is_distinct_from" -> Optional.of(new DistinctKernel(notEqual(call), true));
      case "is_not_distinct_from" -> Optional.of(new DistinctKernel(notEqual(call), false));
      default ->
          Relation.of(call.function())
              .map(
                  relation ->
                      comparison(relation, call.arguments().get(0), call.arguments().get(1)));
    };
  }

  private static ScalarKernel notEqual(BoundCall call) {
    return comparison(Relation.NOT_EQUAL, call.arguments().get(0), call.arguments().get(1));
  }

  /** A kernel that compares values of one type; decimals may differ in scale. */
  public static ScalarKernel comparison(Relation relation, DataType left, DataType right) {
    return switch (StorageTypes.of(left)) {
      case DataType.Bool type -> new BooleanComparison(relation);
      case DataType.Int type -> new LongComparison(relation, !type.signed() && type.bits() == 64);
      case DataType.Date type -> new LongComparison(relation, false);
      case DataType.Time type when right.equals(left) -> new LongComparison(relation, false);
      case DataType.Timestamp type when right instanceof DataType.Timestamp other ->
          type.unit() == other.unit()
              ? new LongComparison(relation, false)
              : new UnitComparison(relation, type.unit(), other.unit());
      case DataType.Duration type when right.equals(left) -> new LongComparison(relation, false);
      case DataType.Float type -> new DoubleComparison(relation);
      case DataType.Decimal type when right instanceof DataType.Decimal other ->
          new DecimalComparison(relation, type.scale(), other.scale());
      case DataType.Text type -> new ByteComparison(relation);
      case DataType.Binary type -> new ByteComparison(relation);
      case DataType.FixedBinary type -> new ByteComparison(relation);
      default -> new RowComparison(relation, left);
    };
  }
}
