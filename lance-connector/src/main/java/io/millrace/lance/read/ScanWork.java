package io.millrace.lance.read;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.spi.Split;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.lance.jni.FragmentSummary;
import io.millrace.lance.jni.LanceDataset;
import io.millrace.lance.jni.LanceRuntime;
import io.millrace.lance.jni.LanceScan;
import io.millrace.lance.jni.LanceScanRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** Reads one split from start to end on one thread that may block. */
final class ScanWork {
  /** Enough to tell small text from documents, few enough to cost next to nothing. */
  private static final int SAMPLE_ROWS = 16;

  private static final long VECTOR_BYTES_LIMIT = 1L << 30;

  private final LanceRuntime runtime;
  private final ScanSpecification specification;
  private final Split split;
  private final ConnectorContext context;
  private final Schema outputSchema;

  ScanWork(
      LanceRuntime runtime,
      ScanSpecification specification,
      Split split,
      ConnectorContext context) {
    this.runtime = runtime;
    this.specification = specification;
    this.split = split;
    this.context = context;
    this.outputSchema = specification.outputSchema();
  }

  /** Where batches go. */
  interface Receiver {
    /** Takes a batch over; false to end the scan. */
    boolean accept(Batch batch);

    /** Whether nothing is wanted any more. */
    boolean isStopped();

    void addReadBytes(long bytes);
  }

  void run(Receiver receiver) {
    List<Integer> fragmentIds = SplitFragments.decode(split.payload());
    if (fragmentIds.isEmpty()) {
      return;
    }
    try (LanceDataset dataset =
        TablePin.open(runtime, specification.source(), ImportMemory.of(context))) {
      if (specification.columns().isEmpty() && specification.filters().isEmpty()) {
        countRows(dataset, fragmentIds, receiver);
      } else {
        scan(dataset, fragmentIds, receiver);
      }
    }
  }

  /** A scan of no columns is answered by the manifest. */
  private void countRows(LanceDataset dataset, List<Integer> fragmentIds, Receiver receiver) {
    int batchRows = context.configuration().value(Settings.BATCH_ROWS);
    long left =
        dataset.fragments().stream()
            .filter(fragment -> fragmentIds.contains(fragment.id()))
            .mapToLong(FragmentSummary::rowCount)
            .sum();
    left = Math.min(left, specification.limit().orElse(Long.MAX_VALUE));
    while (left > 0) {
      int rows = (int) Math.min(left, batchRows);
      if (!receiver.accept(new Batch(outputSchema, List.of(), rows))) {
        return;
      }
      left -= rows;
    }
  }

  private void scan(LanceDataset dataset, List<Integer> fragmentIds, Receiver receiver) {
    List<String> columns = valueColumns();
    boolean withRowKey =
        specification.columns().stream()
            .map(column -> column.output().type())
            .anyMatch(type -> type instanceof DataType.Reference || RowPlaces.isWanted(type));
    RowPlaces places = RowPlaces.of(dataset);
    BatchSize size = batchSize(dataset, fragmentIds, receiver);
    LanceScanRequest request =
        new LanceScanRequest(
            columns,
            withRowKey,
            filterText(dataset),
            specification.limit(),
            fragmentIds,
            size.rows());
    String keyColumn = dataset.rowKey().columnName();
    try (LanceScan scan = dataset.scan(request, ImportMemory.of(context))) {
      double expectedBytes = size.bytes();
      boolean wanted = true;
      while (wanted
          && Headroom.await(context.allocator(), expectedBytes, receiver::isStopped)
          && scan.advance()) {
        expectedBytes = Math.max(expectedBytes, bytes(scan.root()));
        wanted = emit(scan, keyColumn, places, receiver);
      }
      receiver.addReadBytes(scan.bytesRead());
    }
  }

  private static long bytes(VectorSchemaRoot root) {
    return root.getFieldVectors().stream().mapToLong(FieldVector::getBufferSize).sum();
  }

  private List<String> valueColumns() {
    Set<String> names = new LinkedHashSet<>();
    for (ScanColumn column : specification.columns()) {
      if (!(column.output().type() instanceof DataType.Reference)) {
        names.add(column.sourceColumn());
      }
    }
    return List.copyOf(names);
  }

  private Optional<String> filterText(LanceDataset dataset) {
    if (specification.filters().isEmpty()) {
      return Optional.empty();
    }
    LanceFilter filter = LanceTable.filterOf(dataset, specification.tableSchema());
    List<String> parts = new ArrayList<>();
    for (PhysicalExpression conjunct : specification.filters()) {
      parts.add(
          filter
              .translate(conjunct)
              .orElseThrow(
                  () ->
                      new MillraceException(
                          ErrorCode.INVALID_PLAN,
                          "A Lance scan got a predicate that it did not accept: " + conjunct)));
    }
    return Optional.of(String.join(" AND ", parts));
  }

  /** Rows per batch so that a batch stays near the configured bytes: Lance counts rows only. */
  private BatchSize batchSize(LanceDataset dataset, List<Integer> fragmentIds, Receiver receiver) {
    long targetBytes = context.configuration().value(Settings.BATCH_BYTES);
    int mostRows = context.configuration().value(Settings.BATCH_ROWS);
    List<FragmentSummary> fragments =
        dataset.fragments().stream().filter(one -> fragmentIds.contains(one.id())).toList();
    long rowCount = fragments.stream().mapToLong(FragmentSummary::rowCount).sum();
    ColumnSizes sizes =
        new ColumnSizes(
            specification.tableSchema(),
            fragments.stream().mapToLong(FragmentSummary::bytes).sum(),
            rowCount);
    double rowBytes = 8;
    List<String> uncertain = new ArrayList<>();
    for (String column : valueColumns()) {
      Schema tableSchema = specification.tableSchema();
      Field field = tableSchema.field(tableSchema.indexOf(column));
      if (sizes.isUncertain(field)) {
        uncertain.add(column);
      } else {
        rowBytes += sizes.averageBytes(field);
      }
    }
    if (!uncertain.isEmpty()) {
      rowBytes += sampleBytes(dataset, uncertain, fragmentIds, receiver);
    }
    int rows = (int) Math.clamp((long) (targetBytes / rowBytes), 1, mostRows);
    return new BatchSize(rows, Math.min(rows, rowCount) * rowBytes);
  }

  /**
   * @param rows most rows of a batch
   * @param bytes estimate of its bytes
   */
  private record BatchSize(int rows, double bytes) {}

  private double sampleBytes(
      LanceDataset dataset, List<String> columns, List<Integer> fragmentIds, Receiver receiver) {
    LanceScanRequest request =
        new LanceScanRequest(
            columns,
            false,
            Optional.empty(),
            OptionalLong.of(SAMPLE_ROWS),
            fragmentIds.subList(0, 1),
            SAMPLE_ROWS);
    long bytes = 0;
    long rows = 0;
    try (LanceScan scan = dataset.scan(request, ImportMemory.of(context))) {
      while (scan.advance()) {
        rows += scan.root().getRowCount();
        for (FieldVector vector : scan.root().getFieldVectors()) {
          bytes += vector.getBufferSize();
        }
      }
      receiver.addReadBytes(scan.bytesRead());
    }
    return rows == 0 ? 0 : (double) bytes / rows;
  }

  /** Hands a batch on, in pieces when a column's values would not fit 32-bit offsets. */
  private boolean emit(LanceScan scan, String keyColumn, RowPlaces places, Receiver receiver) {
    VectorSchemaRoot root = scan.root();
    int rowCount = root.getRowCount();
    int from = 0;
    while (from < rowCount) {
      int to = rowCount;
      while (to - from > 1 && largestColumn(root, from, to) > VECTOR_BYTES_LIMIT) {
        to = from + (to - from) / 2;
      }
      Batch batch;
      if (from == 0 && to == rowCount) {
        batch = batch(root, scan.dictionaries(), keyColumn, places);
      } else {
        try (VectorSchemaRoot part = root.slice(from, to - from)) {
          batch = batch(part, scan.dictionaries(), keyColumn, places);
        }
      }
      if (!receiver.accept(batch)) {
        return false;
      }
      from = to;
    }
    return true;
  }

  private static long largestColumn(VectorSchemaRoot root, int from, int to) {
    long largest = 0;
    for (FieldVector vector : root.getFieldVectors()) {
      if (vector instanceof BaseLargeVariableWidthVector values) {
        ArrowBuf offsets = values.getOffsetBuffer();
        largest = Math.max(largest, offsets.getLong(8L * to) - offsets.getLong(8L * from));
      }
    }
    return largest;
  }

  private Batch batch(
      VectorSchemaRoot root, DictionaryProvider dictionaries, String keyColumn, RowPlaces places) {
    List<ColumnVector> columns = new ArrayList<>();
    Map<String, ColumnVector> imported = new HashMap<>();
    try {
      for (ScanColumn column : specification.columns()) {
        DataType type = column.output().type();
        if (type instanceof DataType.Reference) {
          columns.add(references(root, keyColumn, type));
          continue;
        }
        ColumnVector known = imported.get(column.sourceColumn());
        if (known != null) {
          columns.add(known.retain());
          continue;
        }
        columns.add(
            ColumnImport.of(
                root.getVector(column.sourceColumn()), type, dictionaries, context.allocator()));
        if (RowPlaces.isWanted(type)) {
          columns.add(places.named(columns.removeLast(), keys(root, keyColumn)));
        }
        imported.put(column.sourceColumn(), columns.getLast());
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
    return new Batch(outputSchema, columns, root.getRowCount()).transferTo(context.allocator());
  }

  private static long[] keys(VectorSchemaRoot root, String keyColumn) {
    ArrowBuf buffer = root.getVector(keyColumn).getDataBuffer();
    long[] keys = new long[root.getRowCount()];
    for (int row = 0; row < keys.length; row++) {
      keys[row] = buffer.getLong(8L * row);
    }
    return keys;
  }

  /** Row keys, unsigned in Lance and never null, as references; the values are shared. */
  private static FlatVector references(VectorSchemaRoot root, String keyColumn, DataType type) {
    ArrowBuf keys = root.getVector(keyColumn).getDataBuffer();
    keys.getReferenceManager().retain();
    return FlatVector.ofFixedWidth(type, root.getRowCount(), 0, null, keys);
  }
}
