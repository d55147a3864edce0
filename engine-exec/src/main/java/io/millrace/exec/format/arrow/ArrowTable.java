package io.millrace.exec.format.arrow;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableStatistics;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.file.PinnedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Arrow files read as one table, pinned. A split is some record batches of a file, or a stream.
 *
 * @param batches record batches of each file; −1 for a stream
 */
record ArrowTable(
    SourceReference source, Schema schema, List<PinnedFile> files, List<Integer> batches)
    implements Table {
  /** Splits a driver should have to take. */
  private static final int SPLITS_PER_DRIVER = 4;

  /** What a split's payload says: {@code file:from:to}. */
  record Range(int file, int from, int to) {
    static Range of(Split split) {
      String[] parts = split.payload().split(":", -1);
      return new Range(
          Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    String payload() {
      return file + ":" + from + ":" + to;
    }
  }

  @Override
  public TableStatistics statistics() {
    long bytes = files.stream().mapToLong(PinnedFile::sizeBytes).sum();
    return new TableStatistics(OptionalLong.empty(), OptionalLong.of(bytes), Map.of());
  }

  @Override
  public List<PhysicalExpression> acceptedFilters(List<PhysicalExpression> conjuncts) {
    return List.of();
  }

  @Override
  public List<Split> splits(ScanSpecification specification, int wantedParallelism) {
    long total = batches.stream().mapToLong(count -> Math.max(1, count)).sum();
    int step = (int) Math.max(1, total / (Math.max(1L, wantedParallelism) * SPLITS_PER_DRIVER));
    List<Split> splits = new ArrayList<>();
    for (int file = 0; file < files.size(); file++) {
      int count = batches.get(file);
      long size = files.get(file).sizeBytes();
      if (count < 0) {
        splits.add(new Split(new Range(file, 0, -1).payload(), size, -1, List.of()));
      }
      for (int from = 0; from < count; from += step) {
        int to = Math.min(count, from + step);
        splits.add(
            new Split(
                new Range(file, from, to).payload(), size / count * (to - from), -1, List.of()));
      }
    }
    return splits;
  }

  @Override
  public void close() {}
}
