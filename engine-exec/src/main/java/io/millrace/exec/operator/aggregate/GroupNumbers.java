package io.millrace.exec.operator.aggregate;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.type.DataType;
import io.millrace.exec.operator.key.ColumnRows;
import io.millrace.exec.operator.key.KeyRows;
import io.millrace.exec.operator.key.KeyTable;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Numbers the groups of rows: equal keys, equal number. One key of up to 64 bits is looked up as it
 * is; other keys are encoded. When all keys are dictionary-coded (or there are none), only one row
 * of each combination of codes is looked up, and the others follow their codes.
 */
final class GroupNumbers implements AutoCloseable {
  /** Combinations of codes that a table is made for; more are looked up row by row. */
  private static final int COMBINATIONS_LIMIT = 1 << 16;

  private final List<Integer> columns;
  private final KeyRows rows;
  private final KeyTable table;

  /** In the place of the table for one short key; null otherwise. */
  private final LongGroups longs;

  private int[] numbers = new int[0];
  private int[] codes = new int[0];
  private int rowCount;

  /** Rows looked up by their codes; null when each row is. */
  private int[] lookedUp;

  GroupNumbers(List<DataType> types, List<Integer> columns, BufferAllocator allocator) {
    this.columns = columns;
    this.rows = KeyRows.ofGroups(types);
    this.table = new KeyTable(rows, allocator);
    boolean isLong = types.size() == 1 && LongGroups.takes(types.getFirst());
    this.longs = isLong ? new LongGroups(types.getFirst(), allocator) : null;
  }

  /** Groups so far. */
  int size() {
    return longs != null ? longs.size() : table.size();
  }

  /** Bytes held. */
  long bytes() {
    return longs != null ? longs.bytes() : table.bytes();
  }

  /** Bytes held at most once the prepared rows are added. */
  long bytesWithPrepared() {
    return longs != null ? longs.bytesWithPrepared() : table.bytesWith(rows);
  }

  /** Bytes of all keys. */
  long keyBytes() {
    return longs != null ? longs.keyBytes() : table.keyBytes();
  }

  /** Encodes the keys of a batch; {@link #assign} numbers them. */
  void prepare(Batch batch) {
    rowCount = batch.rowCount();
    if (numbers.length < rowCount) {
      numbers = new int[rowCount];
      codes = new int[rowCount];
    }
    lookedUp = null;
    if (longs != null) {
      longs.prepare(batch, columns.getFirst());
      return;
    }
    int combinations = combinations(batch);
    if (combinations > 0) {
      int[] first = firstRows(batch, combinations);
      rows.encode(batch, columns, first, first.length);
      lookedUp = first;
    } else {
      rows.encode(batch, columns);
    }
  }

  /** The number of each prepared row; the array is reused and may be longer. */
  int[] assign() {
    if (longs != null) {
      longs.assign(numbers);
      return numbers;
    }
    if (lookedUp == null) {
      table.assign(rows, numbers);
      return numbers;
    }
    int[] found = new int[lookedUp.length];
    table.assign(rows, found);
    for (int row = 0; row < rowCount; row++) {
      numbers[row] = found[codes[row]];
    }
    return numbers;
  }

  /** Combinations of codes, null counted as one code more; 0 when the short way does not pay. */
  private int combinations(Batch batch) {
    long product = 1;
    boolean coded = columns.isEmpty();
    for (int column : columns) {
      switch (batch.column(column)) {
        case FlatVector flat -> {
          return 0;
        }
        case DictionaryVector dictionary -> {
          coded = true;
          product *= dictionary.dictionary().length() + 1L;
        }
        case ConstantVector constant -> coded = true;
      }
      if (product > COMBINATIONS_LIMIT || product > Math.max(256, 2L * rowCount)) {
        return 0;
      }
    }
    return coded ? (int) product : 0;
  }

  /**
   * One physical row per combination that occurs; {@link #codes} then says for each row which of
   * them stands for it.
   */
  private int[] firstRows(Batch batch, int combinations) {
    Arrays.fill(codes, 0, rowCount, 0);
    int[] scratch = new int[rowCount];
    for (int column : columns) {
      ColumnVector vector = batch.column(column);
      if (vector instanceof DictionaryVector dictionary) {
        int factor = dictionary.dictionary().length() + 1;
        int[] positions =
            ColumnRows.of(dictionary, batch.selection(), rowCount, scratch).positions();
        for (int row = 0; row < rowCount; row++) {
          codes[row] = codes[row] * factor + positions[row] + 1;
        }
      }
    }
    int[] order = new int[combinations];
    int[] first = new int[Math.min(combinations, rowCount)];
    int count = 0;
    int[] selection = batch.selection();
    for (int row = 0; row < rowCount; row++) {
      int code = codes[row];
      if (order[code] == 0) {
        first[count++] = selection == null ? row : selection[row];
        order[code] = count;
      }
      codes[row] = order[code] - 1;
    }
    return Arrays.copyOf(first, count);
  }

  /** A key column of a range of groups. */
  FlatVector column(int key, int first, int count, BufferAllocator allocator) {
    return longs != null
        ? longs.column(first, count, allocator)
        : table.column(key, first, count, allocator);
  }

  /** Forgets all groups. */
  void clear() {
    if (longs != null) {
      longs.clear();
    }
    table.clear();
  }

  @Override
  public void close() {
    if (longs != null) {
      longs.close();
    }
    table.close();
  }
}
