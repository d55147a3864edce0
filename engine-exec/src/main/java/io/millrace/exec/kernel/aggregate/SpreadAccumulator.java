package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.DoubleLane;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Variance and standard deviation by Welford's running mean and sum of squared differences; states
 * are merged by the formula of Chan, Golub and LeVeque (1979).
 */
final class SpreadAccumulator extends LaneAccumulator {
  /** For each group the count, the mean and the sum of squared differences from it. */
  private static final int BYTES = 24;

  /** What is made of count and squared differences. */
  record Measure(boolean sample, boolean root) {}

  private final Measure measure;
  private final GroupMemory moments;
  private final DoubleLane input = new DoubleLane();
  private final LongLane stateCounts = new LongLane();
  private final DoubleLane stateMeans = new DoubleLane();
  private final DoubleLane stateSquares = new DoubleLane();

  SpreadAccumulator(Measure measure, BufferAllocator allocator) {
    this.measure = measure;
    this.moments = new GroupMemory(BYTES, allocator);
  }

  @Override
  void grow(int newGroupCount) {
    moments.resize(newGroupCount);
  }

  @Override
  List<Lane> inputs() {
    return List.of(input);
  }

  @Override
  List<Lane> stateInputs() {
    return List.of(stateCounts, stateMeans, stateSquares);
  }

  @Override
  void accumulate(int[] groups, int from, int count) {
    MemorySegment memory = moments.segment();
    double[] values = input.values();
    for (int lane = 0; lane < count; lane++) {
      long place = (long) BYTES * groups[from + lane];
      long number = memory.get(Layouts.INT64, place) + 1;
      double mean = memory.get(Layouts.FLOAT64, place + 8);
      double difference = values[lane] - mean;
      double newMean = mean + difference / number;
      double squares = memory.get(Layouts.FLOAT64, place + 16);
      memory.set(Layouts.INT64, place, number);
      memory.set(Layouts.FLOAT64, place + 8, newMean);
      memory.set(Layouts.FLOAT64, place + 16, squares + difference * (values[lane] - newMean));
    }
  }

  @Override
  void combine(int[] groups, int from, int count) {
    MemorySegment memory = moments.segment();
    for (int lane = 0; lane < count; lane++) {
      long added = stateCounts.values()[lane];
      if (added == 0) {
        continue;
      }
      long place = (long) BYTES * groups[from + lane];
      long old = memory.get(Layouts.INT64, place);
      double mean = memory.get(Layouts.FLOAT64, place + 8);
      double difference = stateMeans.values()[lane] - mean;
      double total = (double) old + added;
      double squares = memory.get(Layouts.FLOAT64, place + 16);
      memory.set(Layouts.INT64, place, old + added);
      memory.set(Layouts.FLOAT64, place + 8, mean + difference * (added / total));
      memory.set(
          Layouts.FLOAT64,
          place + 16,
          squares
              + stateSquares.values()[lane]
              + difference * difference * ((double) old * added / total));
    }
  }

  private long countOf(int group) {
    return moments.segment().get(Layouts.INT64, (long) BYTES * group);
  }

  private double meanOf(int group) {
    return moments.segment().get(Layouts.FLOAT64, (long) BYTES * group + 8);
  }

  private double squaresOf(int group) {
    return moments.segment().get(Layouts.FLOAT64, (long) BYTES * group + 16);
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    GroupOutput output = new GroupOutput(firstGroup, groupCount, allocator);
    IntPredicate always = group -> true;
    FlatVector counts = output.longs(DataType.INT64, always, this::countOf);
    try {
      FlatVector means = output.doubles(DataType.FLOAT64, always, this::meanOf);
      try {
        return List.of(counts, means, output.doubles(DataType.FLOAT64, always, this::squaresOf));
      } catch (RuntimeException | Error failure) {
        means.close();
        throw failure;
      }
    } catch (RuntimeException | Error failure) {
      counts.close();
      throw failure;
    }
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    int least = measure.sample() ? 2 : 1;
    return new GroupOutput(firstGroup, groupCount, allocator)
        .doubles(DataType.FLOAT64, group -> countOf(group) >= least, this::resultOf);
  }

  private double resultOf(int group) {
    double variance = squaresOf(group) / (countOf(group) - (measure.sample() ? 1 : 0));
    return measure.root() ? Math.sqrt(variance) : variance;
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
