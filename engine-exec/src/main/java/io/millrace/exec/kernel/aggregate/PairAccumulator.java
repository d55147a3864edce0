package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.DoubleLane;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Covariance, correlation and linear regression of pairs (y, x), by running means and sums of
 * products of differences; pairs with a null are left out.
 */
final class PairAccumulator extends LaneAccumulator {
  /** For each group the count, the means of y and x, and the sums of squares yy, xx and xy. */
  private static final int BYTES = 48;

  private static final int NUMBERS = 5;

  /** What is made of the moments. */
  enum Measure {
    COVAR_POP(1) {
      @Override
      double of(long count, double[] m) {
        return m[4] / count;
      }
    },
    COVAR_SAMP(2) {
      @Override
      double of(long count, double[] m) {
        return m[4] / (count - 1);
      }
    },
    CORR(1) {
      @Override
      double of(long count, double[] m) {
        return m[4] / Math.sqrt(m[2] * m[3]);
      }
    },
    REGR_SLOPE(1) {
      @Override
      double of(long count, double[] m) {
        return m[4] / m[3];
      }
    },
    REGR_INTERCEPT(1) {
      @Override
      double of(long count, double[] m) {
        return m[0] - m[4] / m[3] * m[1];
      }
    },
    REGR_R2(1) {
      @Override
      double of(long count, double[] m) {
        return m[2] == 0 ? 1 : m[4] * m[4] / (m[2] * m[3]);
      }
    },
    REGR_AVGX(1) {
      @Override
      double of(long count, double[] m) {
        return m[1];
      }
    },
    REGR_AVGY(1) {
      @Override
      double of(long count, double[] m) {
        return m[0];
      }
    },
    REGR_SXX(1) {
      @Override
      double of(long count, double[] m) {
        return m[3];
      }
    },
    REGR_SYY(1) {
      @Override
      double of(long count, double[] m) {
        return m[2];
      }
    },
    REGR_SXY(1) {
      @Override
      double of(long count, double[] m) {
        return m[4];
      }
    };

    private final int leastPairs;

    Measure(int leastPairs) {
      this.leastPairs = leastPairs;
    }

    abstract double of(long count, double[] moments);
  }

  private final Measure measure;
  private final GroupMemory moments;
  private final DoubleLane first = new DoubleLane();
  private final DoubleLane second = new DoubleLane();
  private final LongLane stateCounts = new LongLane();
  private final DoubleLane[] stateNumbers = new DoubleLane[NUMBERS];

  PairAccumulator(Measure measure, BufferAllocator allocator) {
    this.measure = measure;
    this.moments = new GroupMemory(BYTES, allocator);
    for (int index = 0; index < NUMBERS; index++) {
      stateNumbers[index] = new DoubleLane();
    }
  }

  @Override
  void grow(int newGroupCount) {
    moments.resize(newGroupCount);
  }

  @Override
  List<Lane> inputs() {
    return List.of(first, second);
  }

  @Override
  List<Lane> stateInputs() {
    List<Lane> lanes = new ArrayList<>(List.of(stateCounts));
    lanes.addAll(List.of(stateNumbers));
    return lanes;
  }

  private double number(int group, int index) {
    return moments.segment().get(Layouts.FLOAT64, (long) BYTES * group + 8 + 8L * index);
  }

  private void set(int group, int index, double value) {
    moments.segment().set(Layouts.FLOAT64, (long) BYTES * group + 8 + 8L * index, value);
  }

  private long countOf(int group) {
    return moments.segment().get(Layouts.INT64, (long) BYTES * group);
  }

  @Override
  void accumulate(int[] groups, int from, int count) {
    double[] one = {0, 0, 0, 0, 0};
    for (int lane = 0; lane < count; lane++) {
      one[0] = first.values()[lane];
      one[1] = second.values()[lane];
      combine(groups[from + lane], 1, one);
    }
  }

  @Override
  void combine(int[] groups, int from, int count) {
    double[] numbers = new double[NUMBERS];
    for (int lane = 0; lane < count; lane++) {
      for (int index = 0; index < NUMBERS; index++) {
        numbers[index] = stateNumbers[index].values()[lane];
      }
      combine(groups[from + lane], stateCounts.values()[lane], numbers);
    }
  }

  private void combine(int group, long added, double[] other) {
    if (added == 0) {
      return;
    }
    long old = countOf(group);
    double total = (double) old + added;
    double differenceY = other[0] - number(group, 0);
    double differenceX = other[1] - number(group, 1);
    double weight = (double) old * added / total;
    set(group, 0, number(group, 0) + differenceY * (added / total));
    set(group, 1, number(group, 1) + differenceX * (added / total));
    set(group, 2, number(group, 2) + other[2] + differenceY * differenceY * weight);
    set(group, 3, number(group, 3) + other[3] + differenceX * differenceX * weight);
    set(group, 4, number(group, 4) + other[4] + differenceY * differenceX * weight);
    moments.segment().set(Layouts.INT64, (long) BYTES * group, old + added);
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    GroupOutput output = new GroupOutput(firstGroup, groupCount, allocator);
    List<ColumnVector> columns = new ArrayList<>();
    try {
      columns.add(output.longs(DataType.INT64, group -> true, this::countOf));
      for (int index = 0; index < NUMBERS; index++) {
        int number = index;
        columns.add(
            output.doubles(DataType.FLOAT64, group -> true, group -> number(group, number)));
      }
      return columns;
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    return new GroupOutput(firstGroup, groupCount, allocator)
        .doubles(
            DataType.FLOAT64,
            group -> countOf(group) >= measure.leastPairs && !Double.isNaN(resultOf(group)),
            this::resultOf);
  }

  private double resultOf(int group) {
    double[] numbers = new double[NUMBERS];
    for (int index = 0; index < NUMBERS; index++) {
      numbers[index] = number(group, index);
    }
    return measure.of(countOf(group), numbers);
  }

  @Override
  public long retainedBytes() {
    return moments.bytes();
  }

  @Override
  public void close() {
    moments.close();
  }
}
