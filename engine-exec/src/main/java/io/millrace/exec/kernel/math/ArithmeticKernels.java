package io.millrace.exec.kernel.math;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.ScalarKernelFamily;
import io.millrace.exec.kernel.temporal.IntervalArithmetic;
import io.millrace.exec.kernel.temporal.IntervalCombination;
import io.millrace.exec.kernel.temporal.MomentDifference;
import java.util.Optional;

/** Kernels of the four operations, remainder and sign change. */
public final class ArithmeticKernels implements ScalarKernelFamily {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    if (call.function().equals("negate")) {
      return Optional.of(Signs.of(Signs.Change.NEGATE, call.result()));
    }
    return Operation.of(call.function()).map(operation -> binary(operation, call));
  }

  private static ScalarKernel binary(Operation operation, BoundCall call) {
    boolean faultGivesNull = call.function().startsWith("try_");
    DataType left = call.arguments().get(0);
    DataType right = call.arguments().get(1);
    if (left instanceof DataType.Interval && right instanceof DataType.Interval) {
      return IntervalCombination.sum(operation == Operation.SUBTRACT);
    }
    if (call.result() instanceof DataType.Interval && operation == Operation.MULTIPLY) {
      return IntervalCombination.product(left instanceof DataType.Interval);
    }
    if (operation == Operation.SUBTRACT
        && left.equals(right)
        && (left instanceof DataType.Date || left instanceof DataType.Timestamp)) {
      return MomentDifference.of(left);
    }
    if (left instanceof DataType.Interval) {
      return new IntervalArithmetic(call.result(), true, false);
    }
    if (right instanceof DataType.Interval) {
      return new IntervalArithmetic(call.result(), false, operation == Operation.SUBTRACT);
    }
    return switch (call.result()) {
      case DataType.Int type when !type.signed() && type.bits() == 64 ->
          new UnsignedArithmetic(operation, faultGivesNull);
      case DataType.Int type -> new IntegerArithmetic(operation, type, faultGivesNull);
      case DataType.Float type -> new FloatArithmetic(operation, type, faultGivesNull);
      case DataType.Decimal type ->
          new DecimalArithmetic(
              operation, (DataType.Decimal) left, (DataType.Decimal) right, type, faultGivesNull);
      default ->
          throw new IllegalArgumentException("No arithmetic gives this type: " + call.result());
    };
  }
}
