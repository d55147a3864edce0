package io.millrace.lance.read;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.RowOrigin;
import io.millrace.core.type.DataType;
import io.millrace.lance.jni.FragmentSummary;
import io.millrace.lance.jni.LanceDataset;
import io.millrace.lance.jni.RowKey;
import java.util.HashMap;
import java.util.Map;

/** Row keys as row numbers of a table, for errors about single values. */
final class RowPlaces {
  private static final int OFFSET_BITS = 32;
  private static final long OFFSET_MASK = 0xffff_ffffL;

  private final String table;
  private final boolean addresses;
  private final Map<Integer, Long> rowsBefore;

  private RowPlaces(String table, boolean addresses, Map<Integer, Long> rowsBefore) {
    this.table = table;
    this.addresses = addresses;
    this.rowsBefore = rowsBefore;
  }

  static RowPlaces of(LanceDataset dataset) {
    Map<Integer, Long> rowsBefore = new HashMap<>();
    long rows = 0;
    for (FragmentSummary fragment : dataset.fragments()) {
      rowsBefore.put(fragment.id(), rows);
      rows += fragment.rowCount();
    }
    boolean addresses = dataset.rowKey() == RowKey.ADDRESS;
    return new RowPlaces(dataset.location().toString(), addresses, rowsBefore);
  }

  /** Whether values of this type remember where they are from. */
  static boolean isWanted(DataType type) {
    return type instanceof DataType.Binary;
  }

  /** The column, which is consumed, with its rows' places; of other types as it is. */
  ColumnVector named(ColumnVector column, long[] keys) {
    if (!isWanted(column.type())) {
      return column;
    }
    long[] numbers = new long[keys.length];
    for (int row = 0; row < keys.length; row++) {
      numbers[row] = number(keys[row]);
    }
    return column.withOrigin(RowOrigin.rows(table, numbers));
  }

  /** Counted from 0; rows deleted earlier in the same fragment count too. A stable id is itself. */
  private long number(long key) {
    return addresses
        ? rowsBefore.getOrDefault((int) (key >>> OFFSET_BITS), 0L) + (key & OFFSET_MASK)
        : key;
  }
}
