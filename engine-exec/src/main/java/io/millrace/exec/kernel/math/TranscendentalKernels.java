package io.millrace.exec.kernel.math;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.ScalarKernelFamily;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.DoubleLane;
import io.millrace.exec.kernel.lane.DoubleOutput;
import java.util.Optional;

/** Kernels of roots, powers, logarithms and angles, over float64. */
public final class TranscendentalKernels implements ScalarKernelFamily {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return switch (call.function()) {
      case "sqrt" -> unary(Unary.SQRT);
      case "exp" -> unary(Unary.EXP);
      case "ln" -> unary(Unary.LN);
      case "log10" -> unary(Unary.LOG10);
      case "sin" -> unary(Unary.SIN);
      case "cos" -> unary(Unary.COS);
      case "tan" -> unary(Unary.TAN);
      case "power" -> Optional.of(new OfTwo(true, new DoubleLane(), new DoubleLane()));
      case "atan2" -> Optional.of(new OfTwo(false, new DoubleLane(), new DoubleLane()));
      case "is_nan" -> Optional.of(new NanTest(new DoubleLane(), new BooleanOutput()));
      default -> Optional.empty();
    };
  }

  private static Optional<ScalarKernel> unary(Unary function) {
    return Optional.of(new OfOne(function, new DoubleLane(), new DoubleOutput(DataType.FLOAT64)));
  }

  private enum Unary {
    SQRT,
    EXP,
    LN,
    LOG10,
    SIN,
    COS,
    TAN
  }

  private static final class OfOne extends BlockKernel {
    private final Unary function;
    private final double[] value;
    private final double[] result;

    OfOne(Unary function, DoubleLane input, DoubleOutput output) {
      super(output, input);
      this.function = function;
      this.value = input.values();
      this.result = output.values();
    }

    @Override
    protected boolean compute(int count) {
      for (int lane = 0; lane < count; lane++) {
        double number = value[lane];
        result[lane] =
            switch (function) {
              case SQRT -> Math.sqrt(number);
              case EXP -> Math.exp(number);
              case LN -> Math.log(number);
              case LOG10 -> Math.log10(number);
              case SIN -> Math.sin(number);
              case COS -> Math.cos(number);
              case TAN -> Math.tan(number);
            };
      }
      return false;
    }
  }

  private static final class OfTwo extends BlockKernel {
    private final boolean power;
    private final double[] left;
    private final double[] right;
    private final double[] result;

    OfTwo(boolean power, DoubleLane left, DoubleLane right) {
      this(power, left, right, new DoubleOutput(DataType.FLOAT64));
    }

    private OfTwo(boolean power, DoubleLane left, DoubleLane right, DoubleOutput output) {
      super(output, left, right);
      this.power = power;
      this.left = left.values();
      this.right = right.values();
      this.result = output.values();
    }

    @Override
    protected boolean compute(int count) {
      for (int lane = 0; lane < count; lane++) {
        result[lane] =
            power ? Math.pow(left[lane], right[lane]) : Math.atan2(left[lane], right[lane]);
      }
      return false;
    }
  }

  private static final class NanTest extends BlockKernel {
    private final double[] value;
    private final byte[] truths;

    NanTest(DoubleLane input, BooleanOutput output) {
      super(output, input);
      this.value = input.values();
      this.truths = output.values();
    }

    @Override
    protected boolean compute(int count) {
      for (int lane = 0; lane < count; lane++) {
        truths[lane] = (byte) (Double.isNaN(value[lane]) ? 1 : 0);
      }
      return false;
    }
  }
}
