package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.key.KeyRows;
import io.millrace.exec.operator.row.RowConcatenation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Makes a {@link JoinTable} of build rows in bounded steps: joins the rows column by column, then
 * numbers the keys piece by piece, then sorts the rows by key number.
 */
final class JoinTableBuilder implements AutoCloseable {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  /** Rows whose keys are numbered in one step. */
  private static final int STEP_ROWS = 32_768;

  private final Schema schema;
  private final RowConcatenation concatenation;
  private final List<Integer> keyColumns;
  private final KeyRows keyRows;
  private final boolean marked;
  private final boolean membership;
  private final BufferAllocator allocator;
  private final int rowCount;
  private KeyNumbers keys;
  private Batch rows;
  private ArrowBuf numbers;
  private int numbered;

  /**
   * Takes ownership of the batches.
   *
   * @param batches without selections
   * @param marked whether matches of build rows are to be marked
   * @param membership whether only the presence of keys is asked for, not their rows
   */
  JoinTableBuilder(
      Schema schema,
      List<Batch> batches,
      List<Integer> keyColumns,
      KeyRows keyRows,
      boolean marked,
      boolean membership,
      BufferAllocator allocator) {
    this.schema = schema;
    this.concatenation = new RowConcatenation(schema, batches, allocator);
    this.rowCount = concatenation.rowCount();
    this.keyColumns = keyColumns;
    this.keyRows = keyRows;
    this.marked = marked;
    this.membership = membership;
    this.allocator = allocator;
  }

  /**
   * Bytes that the table needs beside the rows: joining columns holds one of them twice, keys take
   * at most their values twice over, numbers and places 12 bytes a row.
   */
  long extraBytes() {
    long keyBytes =
        isIntegerKey()
            ? IntegerKeys.mostBytes(rowCount)
            : 3 * keyRowBytes() * rowCount + 32L * rowCount;
    return concatenation.extraBytes() + keyBytes + 16L * rowCount + 16_384;
  }

  private boolean isIntegerKey() {
    return keyColumns.size() == 1
        && !keyRows.isNullSafe(0)
        && IntegerKeys.fits(schema.field(keyColumns.get(0)).type());
  }

  /** Bytes of a key row, from those of the first rows. */
  private long keyRowBytes() {
    try (Batch sample = concatenation.sample(1024)) {
      if (sample.rowCount() == 0) {
        return 0;
      }
      keyRows.encode(sample, keyColumns);
      return 8 + 8 * keyRows.wordCount() / sample.rowCount();
    }
  }

  /** The batches again, owned by the caller; legal before the first step. */
  List<Batch> takeBack() {
    return concatenation.takeBack();
  }

  /** Does a bounded part of the work; the table when all is done, else null. */
  JoinTable step() {
    if (rows == null) {
      rows = concatenation.step();
      if (rows != null) {
        numbers = JoinTable.ints(rowCount, allocator);
        keys = numbersOf(rows);
      }
      return null;
    }
    if (numbered < rowCount) {
      numberRows();
      return null;
    }
    return membership || keys.size() == rowCount ? inOrder() : sortByKey();
  }

  private KeyNumbers numbersOf(Batch all) {
    if (isIntegerKey()) {
      int column = keyColumns.get(0);
      return new KeyNumbers.OfIntegers(column, all.column(column), allocator);
    }
    return new KeyNumbers.Encoded(keyRows, keyColumns, allocator);
  }

  private void numberRows() {
    int count = Math.min(STEP_ROWS, rowCount - numbered);
    int[] found = new int[count];
    try (Batch piece = rows.slice(numbered, count)) {
      keys.assign(piece, found);
    }
    MemorySegment.copy(found, 0, JoinTable.segment(numbers), INT, 4L * numbered, count);
    numbered += count;
  }

  /** The numbers of the keys are those of the rows, or the rows are not asked for. */
  private JoinTable inOrder() {
    numbers.close();
    numbers = null;
    return table(null, null);
  }

  private JoinTable sortByKey() {
    int keyCount = keys.size();
    ArrowBuf starts = JoinTable.ints(keyCount + 1L, allocator);
    ArrowBuf places = JoinTable.ints(rowCount, allocator);
    MemorySegment start = JoinTable.segment(starts);
    MemorySegment place = JoinTable.segment(places);
    MemorySegment number = JoinTable.segment(numbers);
    start.fill((byte) 0);
    for (int row = 0; row < rowCount; row++) {
      int key = number.get(INT, 4L * row);
      if (key >= 0) {
        start.set(INT, 4L * key, start.get(INT, 4L * key) + 1);
      }
    }
    int end = 0;
    for (int key = 0; key <= keyCount; key++) {
      int count = key == keyCount ? 0 : start.get(INT, 4L * key);
      start.set(INT, 4L * key, end);
      end += count;
    }
    for (int row = 0; row < rowCount; row++) {
      int key = number.get(INT, 4L * row);
      if (key >= 0) {
        int at = start.get(INT, 4L * key);
        place.set(INT, 4L * at, row);
        start.set(INT, 4L * key, at + 1);
      }
    }
    // Each start has moved to the next key's: shift them back.
    for (int key = keyCount; key > 0; key--) {
      start.set(INT, 4L * key, start.get(INT, 4L * key - 4));
    }
    start.set(INT, 0, 0);
    numbers.close();
    numbers = null;
    return table(starts, places);
  }

  private JoinTable table(ArrowBuf starts, ArrowBuf places) {
    ArrowBuf marks = marked ? allocator.buffer(Math.max(1, rowCount)) : null;
    if (marks != null) {
      JoinTable.segment(marks).fill((byte) 0);
    }
    JoinTable table = new JoinTable(rows, keys, starts, places, marks);
    rows = null;
    keys = null;
    return table;
  }

  @Override
  public void close() {
    concatenation.close();
    if (rows != null) {
      rows.close();
      rows = null;
    }
    if (keys != null) {
      keys.close();
      keys = null;
    }
    if (numbers != null) {
      numbers.close();
      numbers = null;
    }
  }
}
