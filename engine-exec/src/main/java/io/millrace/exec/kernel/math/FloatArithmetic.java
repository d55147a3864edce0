package io.millrace.exec.kernel.math;

import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.NumericFaults;
import io.millrace.exec.kernel.lane.DoubleLane;
import io.millrace.exec.kernel.lane.DoubleOutput;

/**
 * The operations on floats, by IEEE 754. Those of float32 are computed in float64 and rounded once
 * more, which gives the same bits. Only try_divide treats a zero divisor apart: it gives null.
 */
final class FloatArithmetic extends BlockKernel {
  private final Operation operation;
  private final boolean faultGivesNull;
  private final double[] left;
  private final double[] right;
  private final double[] result;

  FloatArithmetic(Operation operation, DataType.Float type, boolean faultGivesNull) {
    this(operation, faultGivesNull, new DoubleLane(), new DoubleLane(), new DoubleOutput(type));
  }

  private FloatArithmetic(
      Operation operation,
      boolean faultGivesNull,
      DoubleLane left,
      DoubleLane right,
      DoubleOutput output) {
    super(output, left, right);
    this.operation = operation;
    this.faultGivesNull = faultGivesNull;
    this.left = left.values();
    this.right = right.values();
    this.result = output.values();
  }

  @Override
  protected boolean compute(int count) {
    switch (operation) {
      case ADD -> {
        for (int lane = 0; lane < count; lane++) {
          result[lane] = left[lane] + right[lane];
        }
      }
      case SUBTRACT -> {
        for (int lane = 0; lane < count; lane++) {
          result[lane] = left[lane] - right[lane];
        }
      }
      case MULTIPLY -> {
        for (int lane = 0; lane < count; lane++) {
          result[lane] = left[lane] * right[lane];
        }
      }
      case DIVIDE -> {
        for (int lane = 0; lane < count; lane++) {
          result[lane] = left[lane] / right[lane];
        }
      }
      case REMAINDER -> {
        for (int lane = 0; lane < count; lane++) {
          result[lane] = left[lane] % right[lane];
        }
      }
    }
    return faultGivesNull && operation == Operation.DIVIDE;
  }

  @Override
  protected boolean isFaulty(int lane) {
    return right[lane] == 0;
  }

  @Override
  protected MillraceException fault(int lane) {
    return NumericFaults.divisionByZero(operation.function(), left[lane]);
  }

  @Override
  protected boolean faultGivesNull() {
    return faultGivesNull;
  }
}
