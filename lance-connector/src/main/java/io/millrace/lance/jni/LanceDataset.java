package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/**
 * An open dataset at one version, checked for everything the native library cannot stand. Reads may
 * run on several threads at once. The opener closes it; scans and taken rows must be closed before.
 */
public final class LanceDataset implements AutoCloseable {
  // Two batches decoded ahead hide the latency of local files; the library's default of 16 would
  // hold
  // that many batches of large values in memory.
  private static final int BATCH_READAHEAD = 2;
  private final Dataset dataset;
  private final LanceLocation location;
  private final StoredSchema schema;
  private final String format;

  private LanceDataset(
      Dataset dataset, LanceLocation location, StoredSchema schema, String format) {
    this.dataset = dataset;
    this.location = location;
    this.schema = schema;
    this.format = format;
  }

  /** Checks a dataset just opened and takes it over; closes it when a check fails. */
  static LanceDataset guarded(Dataset dataset, LanceLocation location, BufferAllocator allocator) {
    try {
      String format = dataset.getLanceFileFormatVersion();
      LanceFormat.requireSupported(format, location);
      StoredSchema schema = StoredSchema.of(dataset, allocator);
      SchemaGuard.checkReadable(schema.values(), format);
      return new LanceDataset(dataset, location, schema, format);
    } catch (Throwable failure) {
      dataset.close();
      throw LanceFailure.of(failure, "open it", location);
    }
  }

  public LanceLocation location() {
    return location;
  }

  public long version() {
    return dataset.version();
  }

  /** Columns with the Arrow types of their values, and metadata. */
  public Schema schema() {
    return schema.values();
  }

  /** Columns as files hold them. */
  Schema storedSchema() {
    return schema.stored();
  }

  /** File format version: 0.1, 2.0, 2.1 or 2.2. */
  public String format() {
    return format;
  }

  /** What names a row of this version. */
  public RowKey rowKey() {
    return dataset.hasStableRowIds() ? RowKey.STABLE_ID : RowKey.ADDRESS;
  }

  /** Whether a column's values lie in files of their own; its scan gives descriptors, not bytes. */
  public static boolean isBlob(Field field) {
    return "true".equals(field.getMetadata().get(StoredSchema.BLOB_KEY));
  }

  /**
   * Whether a predicate on this column may be handed to a scan; literals do not match dictionary
   * codes, and some blobs end the process.
   */
  public boolean standsFilter(Field column) {
    return schema.standsFilters()
        && !isBlob(column)
        && !StoredSchema.isEncoded(schema.stored().findField(column.getName()));
  }

  /** The fragments of this version, from the manifest; no data file is read. */
  public List<FragmentSummary> fragments() {
    try {
      List<FragmentSummary> summaries = new ArrayList<>();
      for (Fragment fragment : dataset.getFragments()) {
        FragmentMetadata metadata = fragment.metadata();
        long bytes = 0;
        for (DataFile file : metadata.getFiles()) {
          bytes += file.getFileSizeBytes() == null ? 0 : file.getFileSizeBytes();
        }
        summaries.add(new FragmentSummary(fragment.getId(), metadata.getNumRows(), bytes));
      }
      return summaries;
    } catch (RuntimeException failure) {
      throw LanceFailure.of(failure, "list its fragments", location);
    }
  }

  /** A number that data files and deletions of this version decide; others have another, nearly. */
  public long fingerprint() {
    long hash = 0xcbf29ce484222325L;
    for (Fragment fragment : dataset.getFragments()) {
      FragmentMetadata metadata = fragment.metadata();
      hash = mix(hash, fragment.getId());
      hash = mix(hash, metadata.getNumRows());
      for (DataFile file : metadata.getFiles()) {
        for (int index = 0; index < file.getPath().length(); index++) {
          hash = mix(hash, file.getPath().charAt(index));
        }
      }
    }
    return hash;
  }

  private static long mix(long hash, long value) {
    return (hash ^ value) * 0x100000001b3L;
  }

  /**
   * Starts a scan.
   *
   * @param allocator owns the batches
   * @throws MillraceException UNKNOWN_COLUMN and others, before anything native is called
   */
  public LanceScan scan(LanceScanRequest request, BufferAllocator allocator) {
    NameGuard.requireColumns(request.columns(), columnNames());
    for (String column : request.columns()) {
      if (isBlob(schema.values().findField(column))) {
        throw new MillraceException(
            ErrorCode.UNSUPPORTED_TYPE,
            "A blob column is taken row by row, not scanned: '" + column + "'");
      }
    }
    if (request.fragmentIds().isEmpty()) {
      throw new IllegalArgumentException("A scan reads at least one fragment");
    }
    if (!NameGuard.isPlainText(request.filter().orElse(""))) {
      throw new IllegalArgumentException("A filter has text that cannot reach native code");
    }
    ScanOptions.Builder options =
        new ScanOptions.Builder()
            .columns(request.columns())
            .fragmentIds(request.fragmentIds())
            .batchSize(request.batchRows())
            .batchReadahead(BATCH_READAHEAD)
            .collectStats(true);
    request.filter().ifPresent(options::filter);
    request.limitRows().ifPresent(options::limit);
    if (request.withRowKey()) {
      switch (rowKey()) {
        case ADDRESS -> options.withRowAddress(true);
        case STABLE_ID -> options.withRowId(true);
      }
    }
    LanceScanner scanner = null;
    try {
      scanner = LanceScanner.create(dataset, options.build(), allocator);
      return new LanceScan(scanner, scanner.scanBatches(), location);
    } catch (Throwable failure) {
      closeQuietly(scanner, failure);
      throw LanceFailure.of(failure, "start a scan", location);
    }
  }

  /**
   * Takes rows by key in one read.
   *
   * @param columns top-level columns, blobs included
   * @param rowKeys strictly ascending; at most a few megabytes of values should hide behind them,
   *     since they all come back at once
   * @return one row per key, in the order of the keys; the caller closes it
   * @throws MillraceException SOURCE_CHANGED when a key names no live row: never another row's
   *     value
   */
  public TakenRows take(List<String> columns, long[] rowKeys) {
    NameGuard.requireColumns(columns, columnNames());
    return TakenRows.take(dataset, this, columns, rowKeys);
  }

  List<String> columnNames() {
    return schema.values().getFields().stream().map(Field::getName).toList();
  }

  Dataset handle() {
    return dataset;
  }

  /** The properties that the commit of this version was made with; empty when there are none. */
  Optional<String> commitProperty(String name) {
    return dataset
        .readTransaction()
        .flatMap(
            transaction -> {
              try (transaction) {
                return transaction.transactionProperties().map(properties -> properties.get(name));
              }
            });
  }

  private static void closeQuietly(LanceScanner scanner, Throwable failure) {
    if (scanner != null) {
      try {
        scanner.close();
      } catch (Exception second) {
        failure.addSuppressed(second);
      }
    }
  }

  @Override
  public void close() {
    dataset.close();
  }
}
