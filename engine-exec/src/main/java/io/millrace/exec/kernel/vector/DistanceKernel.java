package io.millrace.exec.kernel.vector;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.DoubleOutput;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.RowLane;

/**
 * Distances and similarities of two vectors, with four accumulators. A constant vector, the usual
 * query, is read once per block.
 */
final class DistanceKernel extends BlockKernel {

  /** What is computed. */
  enum Metric {
    L2,
    COSINE,
    DOT
  }

  private static final byte FINE = 0;
  private static final byte LENGTHS_DIFFER = 1;
  private static final byte NULL_ELEMENT = 2;

  private final Metric metric;
  private final RowLane left;
  private final RowLane right;
  private final VectorReader leftReader = new VectorReader();
  private final VectorReader rightReader = new VectorReader();
  private final double[] result;
  private final byte[] faults = new byte[Lane.BLOCK_ROWS];

  DistanceKernel(Metric metric) {
    this(metric, new RowLane(), new RowLane(), new DoubleOutput(DataType.FLOAT64));
  }

  private DistanceKernel(Metric metric, RowLane left, RowLane right, DoubleOutput output) {
    super(output, left, right);
    this.metric = metric;
    this.left = left;
    this.right = right;
    this.result = output.values();
  }

  @Override
  protected boolean compute(int count) {
    if (left.isEmpty() || right.isEmpty()) {
      return false;
    }
    leftReader.bind(left.flat());
    rightReader.bind(right.flat());
    boolean any = false;
    for (int lane = 0; lane < count; lane++) {
      if (lane == 0 || !left.isConstant()) {
        leftReader.read(left.rows()[lane]);
      }
      if (lane == 0 || !right.isConstant()) {
        rightReader.read(right.rows()[lane]);
      }
      boolean whole = leftReader.isWhole() && rightReader.isWhole();
      faults[lane] =
          leftReader.length() != rightReader.length()
              ? LENGTHS_DIFFER
              : whole ? FINE : NULL_ELEMENT;
      any |= faults[lane] != FINE;
      if (faults[lane] == FINE) {
        result[lane] = distance(leftReader.values(), rightReader.values(), leftReader.length());
      }
    }
    return any;
  }

  private double distance(double[] first, double[] second, int length) {
    return switch (metric) {
      case L2 -> Math.sqrt(squaredDifferences(first, second, length));
      case DOT -> dot(first, second, length);
      case COSINE -> {
        double product = dot(first, second, length);
        double norms =
            Math.sqrt(dot(first, first, length)) * Math.sqrt(dot(second, second, length));
        yield norms == 0 ? Double.NaN : 1 - product / norms;
      }
    };
  }

  private static double dot(double[] first, double[] second, int length) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int index = 0;
    for (; index + 4 <= length; index += 4) {
      sum0 += first[index] * second[index];
      sum1 += first[index + 1] * second[index + 1];
      sum2 += first[index + 2] * second[index + 2];
      sum3 += first[index + 3] * second[index + 3];
    }
    for (; index < length; index++) {
      sum0 += first[index] * second[index];
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  private static double squaredDifferences(double[] first, double[] second, int length) {
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    int index = 0;
    for (; index + 4 <= length; index += 4) {
      double difference0 = first[index] - second[index];
      double difference1 = first[index + 1] - second[index + 1];
      double difference2 = first[index + 2] - second[index + 2];
      double difference3 = first[index + 3] - second[index + 3];
      sum0 += difference0 * difference0;
      sum1 += difference1 * difference1;
      sum2 += difference2 * difference2;
      sum3 += difference3 * difference3;
    }
    for (; index < length; index++) {
      double difference = first[index] - second[index];
      sum0 += difference * difference;
    }
    return sum0 + sum1 + (sum2 + sum3);
  }

  @Override
  protected boolean isFaulty(int lane) {
    return faults[lane] != FINE;
  }

  @Override
  protected MillraceException fault(int lane) {
    if (faults[lane] == NULL_ELEMENT) {
      return new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "A vector has a null element; a distance needs numbers");
    }
    leftReader.read(left.rows()[lane]);
    rightReader.read(right.rows()[lane]);
    return new MillraceException(
        ErrorCode.INVALID_ARGUMENT,
        "Two vectors differ in length: " + leftReader.length() + " and " + rightReader.length());
  }
}
