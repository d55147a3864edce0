package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows of some columns, with one owner. Passing a batch on moves it: the receiver closes it, also
 * on error. A method that says it consumes this batch leaves it unusable, also when it throws; any
 * use after that throws OWNERSHIP_VIOLATION. Not thread-safe.
 *
 * <p>A selection lists the physical rows that count, in any order and possibly repeated; without
 * one all physical rows count.
 */
public final class Batch implements AutoCloseable {
  private final Schema schema;
  private final List<ColumnVector> columns;
  private final int physicalRowCount;
  private final int[] selection;
  private final int rowCount;
  private boolean gone;

  /**
   * Takes ownership of the columns, also when it throws.
   *
   * @param columns one a field, each of {@code rowCount} rows
   * @throws MillraceException INTERNAL_ERROR when they do not fit the schema
   */
  public Batch(Schema schema, List<ColumnVector> columns, int rowCount) {
    this(schema, columns, rowCount, null, rowCount);
  }

  private Batch(
      Schema schema,
      List<? extends ColumnVector> columns,
      int physicalRowCount,
      int[] selection,
      int rowCount) {
    this.schema = schema;
    this.columns = List.copyOf(columns);
    this.physicalRowCount = physicalRowCount;
    this.selection = selection;
    this.rowCount = rowCount;
    String fault = fault();
    if (fault != null) {
      close();
      throw new MillraceException(
          ErrorCode.INTERNAL_ERROR, "Columns do not fit their batch: " + fault);
    }
  }

  /** A batch without rows; its columns hold no memory to speak of. */
  public static Batch empty(Schema schema, BufferAllocator allocator) {
    List<ColumnVector> columns = new ArrayList<>(schema.size());
    for (DataType type : schema.types()) {
      try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
        columns.add(builder.finish());
      }
    }
    return new Batch(schema, columns, 0);
  }

  private String fault() {
    if (columns.size() != schema.size()) {
      return columns.size() + " columns for " + schema;
    }
    for (int index = 0; index < columns.size(); index++) {
      ColumnVector column = columns.get(index);
      if (column.length() != physicalRowCount) {
        return schema.field(index).name()
            + " has "
            + column.length()
            + " rows of "
            + physicalRowCount;
      }
      DataType expected = schema.field(index).type();
      if (!StorageTypes.sameShape(column.type(), expected)) {
        return schema.field(index).name() + " is " + column.type() + ", expected " + expected;
      }
    }
    if (rowCount < 0 || selection != null && rowCount > selection.length) {
      return "a selection of " + rowCount + " rows";
    }
    return null;
  }

  private void requireOwned() {
    if (gone) {
      throw new MillraceException(
          ErrorCode.OWNERSHIP_VIOLATION, "A batch was used after its move or close: " + schema);
    }
  }

  public Schema schema() {
    requireOwned();
    return schema;
  }

  /** Selected rows. */
  public int rowCount() {
    requireOwned();
    return rowCount;
  }

  /** Rows that each column holds. */
  public int physicalRowCount() {
    requireOwned();
    return physicalRowCount;
  }

  /**
   * Physical row indexes, of which the first {@link #rowCount} count; null when all rows do. Not
   * copied: read only.
   */
  public int[] selection() {
    requireOwned();
    return selection;
  }

  public boolean hasSelection() {
    requireOwned();
    return selection != null;
  }

  /**
   * Whether fewer than half of the physical rows are selected: compact such a batch before it is
   * kept in a queue or sent on.
   */
  public boolean isSparse() {
    requireOwned();
    return selection != null && rowCount < physicalRowCount / 2.0;
  }

  /** The physical row behind the given selected row. */
  public int physicalRow(int row) {
    requireOwned();
    return selection == null ? row : selection[Objects.checkIndex(row, rowCount)];
  }

  public int columnCount() {
    requireOwned();
    return columns.size();
  }

  /** Stays owned by this batch; has {@link #physicalRowCount} rows. */
  public ColumnVector column(int index) {
    requireOwned();
    return columns.get(index);
  }

  /** Stay owned by this batch. */
  public List<ColumnVector> columns() {
    requireOwned();
    return columns;
  }

  /** The value of a selected row, see {@link ColumnVector#valueAt}; for slow paths. */
  public Object valueAt(int column, int row) {
    return column(column).valueAt(physicalRow(row));
  }

  /** Bytes of all allocations that this batch keeps alive, each counted once. */
  public long retainedBytes() {
    requireOwned();
    RetainedBytes total = new RetainedBytes();
    for (ColumnVector column : columns) {
      switch (column) {
        case FlatVector flat -> flat.addRetained(total);
        case DictionaryVector coded -> coded.addRetained(total);
        case ConstantVector constant -> constant.addRetained(total);
      }
    }
    return total.bytes() + (selection == null ? 0 : 4L * selection.length);
  }

  /** Whether this handle was moved or closed. */
  public boolean isGone() {
    return gone;
  }

  private void leave() {
    requireOwned();
    gone = true;
  }

  /** This batch under a new handle; consumes this one. */
  public Batch move() {
    leave();
    return new Batch(schema, columns, physicalRowCount, selection, rowCount);
  }

  /** A second batch that shares the buffers; this one stays usable. */
  public Batch share() {
    requireOwned();
    return new Batch(
        schema,
        columns.stream().map(ColumnVector::retain).toList(),
        physicalRowCount,
        selection,
        rowCount);
  }

  /**
   * This batch with another selection; consumes this one.
   *
   * @param rows physical row indexes; owned by the batch from now on
   * @param count how many of them count, from the first
   * @throws MillraceException INTERNAL_ERROR when one is no physical row
   */
  public Batch withSelection(int[] rows, int count) {
    leave();
    int largest = 0;
    int signs = 0;
    for (int index = 0; index < Math.min(count, rows.length); index++) {
      largest = Math.max(largest, rows[index]);
      signs |= rows[index];
    }
    if (signs < 0 || count > 0 && largest >= physicalRowCount) {
      columns.forEach(ColumnVector::close);
      throw new MillraceException(
          ErrorCode.INTERNAL_ERROR,
          "A selection names rows that are not there: " + largest + " of " + physicalRowCount);
    }
    return new Batch(schema, columns, physicalRowCount, rows, count);
  }

  /**
   * This batch with its memory charged to another allocator of the same root, without copying, so
   * that the old one may close; consumes this batch.
   */
  public Batch transferTo(BufferAllocator allocator) {
    requireOwned();
    List<ColumnVector> moved = new ArrayList<>(columns.size());
    try {
      for (ColumnVector column : columns) {
        moved.add(Transfer.retain(column, allocator));
      }
    } catch (RuntimeException | Error failure) {
      moved.forEach(ColumnVector::close);
      throw failure;
    } finally {
      close();
    }
    return new Batch(schema, moved, physicalRowCount, selection, rowCount);
  }

  /** The columns at the given indexes, in that order, possibly repeated; consumes this batch. */
  public Batch project(List<Integer> indexes) {
    leave();
    for (int index : indexes) {
      if (index < 0 || index >= columns.size()) {
        columns.forEach(ColumnVector::close);
        throw new MillraceException(
            ErrorCode.INTERNAL_ERROR, "A batch has no such column: " + index + " of " + schema);
      }
    }
    List<ColumnVector> kept = new ArrayList<>(indexes.size());
    boolean[] used = new boolean[columns.size()];
    for (int index : indexes) {
      kept.add(used[index] ? columns.get(index).retain() : columns.get(index));
      used[index] = true;
    }
    for (int index = 0; index < used.length; index++) {
      if (!used[index]) {
        columns.get(index).close();
      }
    }
    return new Batch(schema.select(indexes), kept, physicalRowCount, selection, rowCount);
  }

  /**
   * Other columns for the same physical rows and selection; consumes this batch and closes its old
   * columns: retain the ones to keep.
   */
  public Batch withColumns(Schema newSchema, List<ColumnVector> newColumns) {
    leave();
    columns.forEach(ColumnVector::close);
    return new Batch(newSchema, newColumns, physicalRowCount, selection, rowCount);
  }

  /** The same columns under other names or nullability; consumes this batch. */
  public Batch withSchema(Schema newSchema) {
    leave();
    return new Batch(newSchema, columns, physicalRowCount, selection, rowCount);
  }

  /**
   * The columns, owned by the caller from now on; consumes this batch. A selection is lost: read it
   * first.
   */
  public List<ColumnVector> takeColumns() {
    leave();
    return columns;
  }

  /**
   * This batch without a selection: only the selected rows, in its order. Dictionaries and
   * constants stay what they are. Consumes this batch.
   */
  public Batch compact(BufferAllocator allocator) {
    if (!hasSelection()) {
      return move();
    }
    List<ColumnVector> compacted = new ArrayList<>(columns.size());
    try {
      for (ColumnVector column : columns) {
        compacted.add(Gather.rows(column, selection, rowCount, allocator));
      }
    } catch (RuntimeException | Error failure) {
      compacted.forEach(ColumnVector::close);
      throw failure;
    } finally {
      close();
    }
    return new Batch(schema, compacted, rowCount);
  }

  /** This batch compacted with all columns flat; consumes this batch. */
  public Batch flatten(BufferAllocator allocator) {
    requireOwned();
    List<ColumnVector> flat = new ArrayList<>(columns.size());
    try {
      for (ColumnVector column : columns) {
        flat.add(
            selection == null
                ? column.flatten(allocator)
                : Gather.flatten(column, selection, rowCount, allocator));
      }
    } catch (RuntimeException | Error failure) {
      flat.forEach(ColumnVector::close);
      throw failure;
    } finally {
      close();
    }
    return new Batch(schema, flat, rowCount);
  }

  /**
   * A second batch of the selected rows from {@code from}; shares buffers, this one stays usable.
   */
  public Batch slice(int from, int count) {
    requireOwned();
    Objects.checkFromIndexSize(from, count, rowCount);
    if (selection != null) {
      return new Batch(
          schema,
          columns.stream().map(ColumnVector::retain).toList(),
          physicalRowCount,
          Arrays.copyOfRange(selection, from, from + count),
          count);
    }
    List<ColumnVector> slices = new ArrayList<>(columns.size());
    try {
      for (ColumnVector column : columns) {
        slices.add(column.slice(from, count));
      }
    } catch (RuntimeException | Error failure) {
      slices.forEach(ColumnVector::close);
      throw failure;
    }
    return new Batch(schema, slices, count);
  }

  /**
   * The selected rows of all batches, one after the other. Dictionaries are kept when all batches
   * share one. Consumes the batches.
   *
   * @param batches at least one, all of the first one's schema
   */
  public static Batch concat(List<Batch> batches, BufferAllocator allocator) {
    if (batches.size() == 1) {
      return batches.get(0).compact(allocator);
    }
    return BatchConcatenation.concat(batches, allocator);
  }

  /** Releases the columns; after a move or close it does nothing. */
  @Override
  public void close() {
    if (!gone) {
      gone = true;
      columns.forEach(ColumnVector::close);
    }
  }

  @Override
  public String toString() {
    return "batch " + schema + " [" + rowCount + " of " + physicalRowCount + " rows]";
  }
}
