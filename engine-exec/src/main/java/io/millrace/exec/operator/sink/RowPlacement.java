package io.millrace.exec.operator.sink;

import io.millrace.core.batch.Batch;
import io.millrace.core.type.DataType;
import io.millrace.exec.operator.key.Partitioner;
import java.util.List;

/** Which partition a row goes to. Used by one thread at a time. */
public sealed interface RowPlacement {

  /** All rows in partition 0. */
  record Single() implements RowPlacement {}

  /** Batch by batch, each partition in its turn. */
  record Rotating(int partitionCount) implements RowPlacement {}

  /** By the hash of keys. */
  record ByKeys(Partitioner partitioner, int partitionCount) implements RowPlacement {}

  Single SINGLE = new Single();

  /** By the hash of key columns of these types. */
  static RowPlacement byKeys(List<DataType> types, List<Integer> columns, int partitionCount) {
    return new ByKeys(new Partitioner(types, columns, partitionCount), partitionCount);
  }

  /** The rows of each partition of a batch, as selections of physical rows. */
  static int[][] split(ByKeys placement, Batch batch) {
    int rowCount = batch.rowCount();
    int[] partitions = new int[rowCount];
    placement.partitioner().place(batch, partitions);
    int[] counts = new int[placement.partitionCount()];
    for (int row = 0; row < rowCount; row++) {
      counts[partitions[row]]++;
    }
    int[][] rows = new int[counts.length][];
    for (int partition = 0; partition < counts.length; partition++) {
      rows[partition] = new int[counts[partition]];
      counts[partition] = 0;
    }
    int[] selection = batch.selection();
    for (int row = 0; row < rowCount; row++) {
      int partition = partitions[row];
      rows[partition][counts[partition]++] = selection == null ? row : selection[row];
    }
    return rows;
  }
}
