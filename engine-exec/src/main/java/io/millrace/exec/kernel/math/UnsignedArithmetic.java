package io.millrace.exec.kernel.math;

import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.NumericFaults;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.LongOutput;

/** The operations on uint64. */
final class UnsignedArithmetic extends BlockKernel {
  private final Operation operation;
  private final boolean faultGivesNull;
  private final long[] left;
  private final long[] right;
  private final long[] result;

  UnsignedArithmetic(Operation operation, boolean faultGivesNull) {
    this(
        operation, faultGivesNull, new LongLane(), new LongLane(), new LongOutput(DataType.UINT64));
  }

  private UnsignedArithmetic(
      Operation operation,
      boolean faultGivesNull,
      LongLane left,
      LongLane right,
      LongOutput output) {
    super(output, left, right);
    this.operation = operation;
    this.faultGivesNull = faultGivesNull;
    this.left = left.values();
    this.right = right.values();
    this.result = output.values();
  }

  @Override
  protected boolean compute(int count) {
    boolean failed = false;
    for (int lane = 0; lane < count; lane++) {
      long first = left[lane];
      long second = right[lane];
      failed |= fails(first, second);
      long divisor = second == 0 ? 1 : second;
      result[lane] =
          switch (operation) {
            case ADD -> first + second;
            case SUBTRACT -> first - second;
            case MULTIPLY -> first * second;
            case DIVIDE -> Long.divideUnsigned(first, divisor);
            case REMAINDER -> Long.remainderUnsigned(first, divisor);
          };
    }
    return failed;
  }

  private boolean fails(long first, long second) {
    return switch (operation) {
      case ADD -> Long.compareUnsigned(first + second, first) < 0;
      case SUBTRACT -> Long.compareUnsigned(first, second) < 0;
      case MULTIPLY -> Math.unsignedMultiplyHigh(first, second) != 0;
      case DIVIDE, REMAINDER -> second == 0;
    };
  }

  @Override
  protected boolean isFaulty(int lane) {
    return fails(left[lane], right[lane]);
  }

  @Override
  protected MillraceException fault(int lane) {
    String first = Long.toUnsignedString(left[lane]);
    String second = Long.toUnsignedString(right[lane]);
    return operation == Operation.DIVIDE || operation == Operation.REMAINDER
        ? NumericFaults.divisionByZero(operation.function(), first)
        : NumericFaults.overflow(operation.function(), first, second, DataType.UINT64);
  }

  @Override
  protected boolean faultGivesNull() {
    return faultGivesNull;
  }
}
