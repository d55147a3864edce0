package io.millrace.exec.operator.key;

import io.millrace.core.batch.Batch;
import io.millrace.core.type.DataType;
import java.util.List;

/**
 * Places rows by the hash of their keys: equal keys get the same partition in every task and every
 * process. Used by one thread at a time.
 */
public final class Partitioner {
  private final List<Integer> columns;
  private final int partitionCount;
  private final KeyRows rows;

  /**
   * @param types of the key columns
   * @param columns positions of the key columns
   */
  public Partitioner(List<DataType> types, List<Integer> columns, int partitionCount) {
    this.columns = List.copyOf(columns);
    this.partitionCount = partitionCount;
    this.rows = KeyRows.ofGroups(types);
  }

  /** The partition of each selected row; the array is reused by the next call. */
  public void place(Batch batch, int[] partitions) {
    rows.encode(batch, columns);
    for (int row = 0; row < rows.count(); row++) {
      partitions[row] = partitionOf(rows.hash(row), partitionCount);
    }
  }

  /** The upper half of the hash decides, because hash tables use the lower. */
  static int partitionOf(long hash, int partitionCount) {
    return (int) ((hash >>> 32) * partitionCount >>> 32);
  }
}
