package io.millrace.exec.kernel.math;

import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.NumericFaults;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.LongOutput;

/**
 * The operations on integers of all types but uint64. Values are widened to 64 bits, so that a
 * narrower result that leaves its type is seen by its range.
 */
final class IntegerArithmetic extends BlockKernel {
  private final Operation operation;
  private final boolean faultGivesNull;
  private final DataType.Int type;
  private final long least;
  private final long greatest;
  private final long[] left;
  private final long[] right;
  private final long[] result;

  IntegerArithmetic(Operation operation, DataType.Int type, boolean faultGivesNull) {
    this(operation, type, faultGivesNull, new LongLane(), new LongLane(), new LongOutput(type));
  }

  private IntegerArithmetic(
      Operation operation,
      DataType.Int type,
      boolean faultGivesNull,
      LongLane left,
      LongLane right,
      LongOutput output) {
    super(output, left, right);
    this.operation = operation;
    this.faultGivesNull = faultGivesNull;
    this.type = type;
    this.least = IntegerRange.least(type);
    this.greatest = IntegerRange.greatest(type);
    this.left = left.values();
    this.right = right.values();
    this.result = output.values();
  }

  @Override
  protected boolean compute(int count) {
    boolean full = type.bits() == 64;
    return switch (operation) {
      case ADD -> full ? add64(count) : add(count);
      case SUBTRACT -> full ? subtract64(count) : subtract(count);
      case MULTIPLY -> full ? multiply64(count) : multiply(count);
      case DIVIDE -> divide(count);
      case REMAINDER -> remainder(count);
    };
  }

  private boolean add64(int count) {
    long overflow = 0;
    for (int lane = 0; lane < count; lane++) {
      long sum = left[lane] + right[lane];
      overflow |= (left[lane] ^ sum) & (right[lane] ^ sum);
      result[lane] = sum;
    }
    return overflow < 0;
  }

  private boolean subtract64(int count) {
    long overflow = 0;
    for (int lane = 0; lane < count; lane++) {
      long difference = left[lane] - right[lane];
      overflow |= (left[lane] ^ right[lane]) & (left[lane] ^ difference);
      result[lane] = difference;
    }
    return overflow < 0;
  }

  private boolean multiply64(int count) {
    long overflow = 0;
    for (int lane = 0; lane < count; lane++) {
      long product = left[lane] * right[lane];
      overflow |= Math.multiplyHigh(left[lane], right[lane]) ^ product >> 63;
      result[lane] = product;
    }
    return overflow != 0;
  }

  private boolean add(int count) {
    long outside = 0;
    long low = least;
    long high = greatest;
    for (int lane = 0; lane < count; lane++) {
      long sum = left[lane] + right[lane];
      outside |= sum - low | high - sum;
      result[lane] = sum;
    }
    return outside < 0;
  }

  private boolean subtract(int count) {
    long outside = 0;
    long low = least;
    long high = greatest;
    for (int lane = 0; lane < count; lane++) {
      long difference = left[lane] - right[lane];
      outside |= difference - low | high - difference;
      result[lane] = difference;
    }
    return outside < 0;
  }

  /** A product of two uint32 that passes 2^63 looks negative: below the least value too. */
  private boolean multiply(int count) {
    long outside = 0;
    long low = least;
    long high = greatest;
    for (int lane = 0; lane < count; lane++) {
      long product = left[lane] * right[lane];
      outside |= product - low | high - product;
      result[lane] = product;
    }
    return outside < 0;
  }

  private boolean divide(int count) {
    boolean failed = false;
    for (int lane = 0; lane < count; lane++) {
      long divisor = right[lane];
      long quotient = left[lane] / (divisor == 0 ? 1 : divisor);
      // The least value by −1 either leaves the type or, of 64 bits, wraps to itself.
      failed |= divisor == 0 | quotient > greatest | (divisor == -1 & left[lane] == least);
      result[lane] = quotient;
    }
    return failed;
  }

  private boolean remainder(int count) {
    boolean failed = false;
    for (int lane = 0; lane < count; lane++) {
      long divisor = right[lane];
      failed |= divisor == 0;
      result[lane] = left[lane] % (divisor == 0 ? 1 : divisor);
    }
    return failed;
  }

  private boolean dividesByZero(int lane) {
    return (operation == Operation.DIVIDE || operation == Operation.REMAINDER) && right[lane] == 0;
  }

  @Override
  protected boolean isFaulty(int lane) {
    return dividesByZero(lane) || overflows(left[lane], right[lane]);
  }

  @Override
  protected MillraceException fault(int lane) {
    return dividesByZero(lane)
        ? NumericFaults.divisionByZero(operation.function(), left[lane])
        : NumericFaults.overflow(operation.function(), left[lane], right[lane], type);
  }

  private boolean overflows(long first, long second) {
    try {
      long value =
          switch (operation) {
            case ADD -> Math.addExact(first, second);
            case SUBTRACT -> Math.subtractExact(first, second);
            case MULTIPLY -> Math.multiplyExact(first, second);
            case DIVIDE -> Math.divideExact(first, second);
            case REMAINDER -> 0;
          };
      return value < least || value > greatest;
    } catch (ArithmeticException overflow) {
      return true;
    }
  }

  @Override
  protected boolean faultGivesNull() {
    return faultGivesNull;
  }
}
