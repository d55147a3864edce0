package io.millrace.lance.read;

import io.millrace.core.config.Settings;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.TableStatistics;
import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.spi.VersionedTable;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.lance.jni.FragmentSummary;
import io.millrace.lance.jni.LanceDataset;
import io.millrace.lance.jni.LanceRuntime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** An open Lance table on the driver, pinned to one version. */
public final class LanceTable implements VersionedTable {
  // Below this a task costs more than it reads; rows may be costly above the scan, so it is low.
  private static final long SPLIT_BYTES_MINIMUM = 64 << 10;

  private final LanceRuntime runtime;
  private final LanceDataset dataset;
  private final ConnectorContext context;
  private final SourceReference source;
  private final Schema schema;
  private final List<FragmentSummary> fragments;
  private final ColumnSizes sizes;

  private LanceTable(
      LanceRuntime runtime,
      LanceDataset dataset,
      ConnectorContext context,
      SourceReference source,
      Schema schema,
      List<FragmentSummary> fragments) {
    this.runtime = runtime;
    this.dataset = dataset;
    this.context = context;
    this.source = source;
    this.schema = schema;
    this.fragments = fragments;
    this.sizes = new ColumnSizes(schema, bytes(fragments), rows(fragments));
  }

  /**
   * Takes over an open dataset; closes it when this fails.
   *
   * @param source not pinned yet; its options were checked
   */
  static LanceTable of(
      LanceRuntime runtime,
      LanceDataset dataset,
      ConnectorContext context,
      SourceReference source) {
    try {
      return new LanceTable(
          runtime,
          dataset,
          context,
          source.withPin(List.of(dataset.location().uri()), TablePin.of(dataset).encode()),
          ArrowTypes.fromArrow(dataset.schema()),
          dataset.fragments());
    } catch (RuntimeException | Error failure) {
      dataset.close();
      throw failure;
    }
  }

  private static long rows(List<FragmentSummary> fragments) {
    return fragments.stream().mapToLong(FragmentSummary::rowCount).sum();
  }

  private static long bytes(List<FragmentSummary> fragments) {
    return fragments.stream().mapToLong(FragmentSummary::bytes).sum();
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public SourceReference source() {
    return source;
  }

  @Override
  public long version() {
    return dataset.version();
  }

  @Override
  public long latestVersion() {
    try (LanceDataset newest =
        runtime.open(dataset.location(), OptionalLong.empty(), context.allocator())) {
      return newest.version();
    }
  }

  @Override
  public TableStatistics statistics() {
    long bytes = bytes(fragments);
    Map<String, ColumnStatistics> columns = new HashMap<>();
    for (Field field : schema.fields()) {
      if (bytes > 0 && !sizes.isUncertain(field)) {
        OptionalLong average = OptionalLong.of(Math.round(sizes.averageBytes(field)));
        columns.put(
            field.name(),
            new ColumnStatistics(
                OptionalLong.empty(), OptionalDouble.empty(), average, null, null));
      }
    }
    return new TableStatistics(
        OptionalLong.of(rows(fragments)),
        bytes > 0 || fragments.isEmpty() ? OptionalLong.of(bytes) : OptionalLong.empty(),
        columns);
  }

  @Override
  public List<PhysicalExpression> acceptedFilters(List<PhysicalExpression> conjuncts) {
    LanceFilter filter = filterOf(dataset, schema);
    return conjuncts.stream().filter(conjunct -> filter.translate(conjunct).isPresent()).toList();
  }

  /** What translates predicates over a table's columns. */
  static LanceFilter filterOf(LanceDataset dataset, Schema schema) {
    // 0.1 loses nulls of most types, 2.0 those of structs, and there a blob's IS NULL finds none.
    boolean trustsNulls = dataset.format().equals("2.1") || dataset.format().equals("2.2");
    Set<String> excluded = new HashSet<>();
    dataset.schema().getFields().stream()
        .filter(field -> !dataset.standsFilter(field))
        .forEach(field -> excluded.add(field.getName()));
    return new LanceFilter(schema, excluded, trustsNulls);
  }

  private static Set<String> blobColumns(LanceDataset dataset) {
    Set<String> blobs = new HashSet<>();
    dataset.schema().getFields().stream()
        .filter(LanceDataset::isBlob)
        .forEach(field -> blobs.add(field.getName()));
    return blobs;
  }

  @Override
  public Set<String> heavyColumns() {
    long threshold = context.configuration().value(Settings.HEAVY_VALUE_BYTES);
    Set<String> heavy = new HashSet<>(sizes.heavyColumns(threshold));
    heavy.addAll(blobColumns(dataset));
    return heavy;
  }

  /** Neighbouring fragments together, of about equal bytes; a fragment is never divided. */
  @Override
  public List<Split> splits(ScanSpecification specification, int wantedParallelism) {
    long bytes = bytes(fragments);
    long targetBytes = Math.max(SPLIT_BYTES_MINIMUM, bytes / Math.max(1, wantedParallelism));
    boolean limitEndsScan = specification.limit().isPresent() && specification.filters().isEmpty();
    long rowsLeft = limitEndsScan ? specification.limit().getAsLong() : Long.MAX_VALUE;
    List<Split> splits = new ArrayList<>();
    List<Integer> ids = new ArrayList<>();
    long splitBytes = 0;
    long splitRows = 0;
    for (FragmentSummary fragment : fragments) {
      if (rowsLeft <= 0) {
        break;
      }
      if (fragment.rowCount() == 0) {
        continue;
      }
      if (!ids.isEmpty() && splitBytes + fragment.bytes() / 2 > targetBytes) {
        splits.add(split(ids, splitBytes, splitRows));
        ids.clear();
        splitBytes = 0;
        splitRows = 0;
      }
      ids.add(fragment.id());
      splitBytes += fragment.bytes();
      splitRows += fragment.rowCount();
      rowsLeft -= fragment.rowCount();
    }
    if (!ids.isEmpty()) {
      splits.add(split(ids, splitBytes, splitRows));
    }
    return splits;
  }

  private static Split split(List<Integer> ids, long bytes, long rows) {
    return new Split(SplitFragments.encode(ids), bytes > 0 ? bytes : -1, rows, List.of());
  }

  @Override
  public void close() {
    dataset.close();
  }
}
