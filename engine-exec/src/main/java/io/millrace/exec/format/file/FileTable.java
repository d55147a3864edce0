package io.millrace.exec.format.file;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableStatistics;
import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** A listing, pinned. A split is a range of its files. */
final class FileTable implements Table {
  private final SourceReference source;
  private final List<PinnedFile> files;

  FileTable(SourceReference source, List<PinnedFile> files) {
    this.source = source;
    this.files = files;
  }

  /** Files of a split: from (inclusive) and to (exclusive). */
  record Range(int from, int to) {}

  static Range range(Split split) {
    int colon = split.payload().indexOf(':');
    return new Range(
        Integer.parseInt(split.payload().substring(0, colon)),
        Integer.parseInt(split.payload().substring(colon + 1)));
  }

  @Override
  public Schema schema() {
    return FileConnector.SCHEMA;
  }

  @Override
  public SourceReference source() {
    return source;
  }

  @Override
  public TableStatistics statistics() {
    long bytes = bytes(0, files.size());
    return new TableStatistics(
        OptionalLong.of(files.size()),
        OptionalLong.of(bytes),
        Map.of(
            FileConnector.CONTENT,
            new ColumnStatistics(
                OptionalLong.empty(),
                OptionalDouble.of(0),
                files.isEmpty() ? OptionalLong.empty() : OptionalLong.of(bytes / files.size()),
                null,
                null)));
  }

  @Override
  public List<PhysicalExpression> acceptedFilters(List<PhysicalExpression> conjuncts) {
    return List.of();
  }

  @Override
  public List<Split> splits(ScanSpecification specification, int wantedParallelism) {
    int count = Math.max(1, Math.min(wantedParallelism, files.size()));
    List<Split> splits = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int from = (int) ((long) files.size() * i / count);
      int to = (int) ((long) files.size() * (i + 1) / count);
      splits.add(new Split(from + ":" + to, bytes(from, to), to - from, List.of()));
    }
    return splits;
  }

  private long bytes(int from, int to) {
    return files.subList(from, to).stream().mapToLong(PinnedFile::sizeBytes).sum();
  }

  @Override
  public Set<String> heavyColumns() {
    return Set.of(FileConnector.CONTENT);
  }

  @Override
  public void close() {}
}
