package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.Dataset;

/** Rows taken by key, one per key asked for and in their order. The caller closes it. */
public final class TakenRows implements AutoCloseable {
  private final ArrowReader reader;
  private final List<FieldVector> columns;
  private final int rowCount;

  private TakenRows(ArrowReader reader, List<FieldVector> columns, int rowCount) {
    this.reader = reader;
    this.columns = columns;
    this.rowCount = rowCount;
  }

  static TakenRows take(
      Dataset dataset, LanceDataset guarded, List<String> columns, long[] rowKeys) {
    requireAscending(rowKeys);
    String keyColumn = guarded.rowKey().columnName();
    List<String> wanted = new ArrayList<>(columns);
    wanted.add(keyColumn);
    ArrowReader reader = null;
    List<FieldVector> vectors = new ArrayList<>();
    try {
      reader = dataset.takeRows(LongStream.of(rowKeys).boxed().toList(), wanted);
      if (!reader.loadNextBatch()) {
        throw rowsGone(rowKeys, 0, guarded.location());
      }
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      requireSameRows(root, keyColumn, rowKeys, guarded.location());
      for (String column : columns) {
        FieldVector vector = root.getVector(column);
        vectors.add(
            LanceDataset.isBlob(guarded.schema().findField(column))
                ? BlobRead.read(dataset, column, rowKeys, vector)
                : vector);
      }
      return new TakenRows(reader, vectors, rowKeys.length);
    } catch (Throwable failure) {
      closeAll(reader, vectors, failure);
      String text = LanceFailure.text(failure);
      if (text.contains("non-existent fragment") || text.contains("addressable rows")) {
        throw rowsGone(rowKeys, -1, guarded.location());
      }
      throw LanceFailure.of(failure, "take rows", guarded.location());
    }
  }

  /** One vector per column asked for, valid until close; its buffers may be retained. */
  public List<FieldVector> columns() {
    return columns;
  }

  /** The dictionaries that encoded vectors refer to. */
  public DictionaryProvider dictionaries() {
    return reader;
  }

  public int rowCount() {
    return rowCount;
  }

  private static void requireAscending(long[] rowKeys) {
    if (rowKeys.length == 0) {
      throw new IllegalArgumentException("A take names at least one row");
    }
    for (int index = 1; index < rowKeys.length; index++) {
      if (rowKeys[index - 1] >= rowKeys[index]) {
        throw new IllegalArgumentException("Row keys are strictly ascending");
      }
    }
  }

  /** The library leaves deleted rows out without a word, so each row is checked against its key. */
  private static void requireSameRows(
      VectorSchemaRoot root, String keyColumn, long[] rowKeys, LanceLocation location) {
    BaseFixedWidthVector keys = (BaseFixedWidthVector) root.getVector(keyColumn);
    for (int row = 0; row < root.getRowCount() && row < rowKeys.length; row++) {
      if (keys.getDataBuffer().getLong(8L * row) != rowKeys[row]) {
        throw rowsGone(rowKeys, row, location);
      }
    }
    if (root.getRowCount() != rowKeys.length) {
      throw rowsGone(rowKeys, Math.min(root.getRowCount(), rowKeys.length - 1), location);
    }
  }

  private static MillraceException rowsGone(long[] rowKeys, int row, LanceLocation location) {
    String which = row < 0 ? "among " + rowKeys.length + " rows" : "row key " + rowKeys[row];
    return new MillraceException(
        ErrorCode.SOURCE_CHANGED,
        "A row reference names no live row of this Lance table's pinned version: "
            + which
            + " of "
            + location);
  }

  private static void closeAll(ArrowReader reader, List<FieldVector> vectors, Throwable failure) {
    vectors.forEach(FieldVector::close);
    if (reader != null) {
      try {
        reader.close();
      } catch (Exception second) {
        failure.addSuppressed(second);
      }
    }
  }

  @Override
  public void close() {
    columns.forEach(FieldVector::close);
    try {
      reader.close();
    } catch (Exception failure) {
      throw MillraceException.of(failure);
    }
  }
}
