package io.millrace.exec.operator.window;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.plan.PhysicalExpression;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Whole partitions, one after the other, in one batch without selection. Peers are rows of a
 * partition with equal sort keys; they stand together.
 */
final class WindowBlock {
  private final Batch rows;
  private final int rowCount;

  /** First row of each partition, then the row count. */
  private final int[] partitionStarts;

  /** First row of each group of peers, then the row count. */
  private final int[] peerStarts;

  private final int[] partitions;
  private final int[] peers;

  /**
   * @param rows stays the caller's
   * @param partitionBegins for each row whether a partition begins there
   * @param peersBegin for each row whether peers begin there
   */
  WindowBlock(Batch rows, boolean[] partitionBegins, boolean[] peersBegin) {
    this.rows = rows;
    this.rowCount = rows.rowCount();
    this.partitions = numbers(partitionBegins, rowCount);
    this.peers = numbers(peersBegin, rowCount);
    this.partitionStarts = starts(partitionBegins, rowCount);
    this.peerStarts = starts(peersBegin, rowCount);
  }

  private static int[] numbers(boolean[] begins, int count) {
    int[] numbers = new int[count];
    int number = -1;
    for (int row = 0; row < count; row++) {
      number += begins[row] ? 1 : 0;
      numbers[row] = number;
    }
    return numbers;
  }

  private static int[] starts(boolean[] begins, int count) {
    int[] starts = new int[count + 1];
    int found = 0;
    for (int row = 0; row < count; row++) {
      if (begins[row]) {
        starts[found++] = row;
      }
    }
    starts[found++] = count;
    return Arrays.copyOf(starts, found);
  }

  /** Bytes of what a block holds beside its rows. */
  static long bytesPerRow() {
    return 16;
  }

  int rowCount() {
    return rowCount;
  }

  int partitionCount() {
    return partitionStarts.length - 1;
  }

  /** The partition of each row. */
  int[] partitions() {
    return partitions;
  }

  /** The number of each row's group of peers, counted over the block. */
  int[] peers() {
    return peers;
  }

  int partitionStart(int row) {
    return partitionStarts[partitions[row]];
  }

  int partitionEnd(int row) {
    return partitionStarts[partitions[row] + 1];
  }

  int peerStart(int row) {
    return peerStarts[peers[row]];
  }

  int peerEnd(int row) {
    return peerStarts[peers[row] + 1];
  }

  /** First row of each group of peers, then the row count. */
  int[] peerStarts() {
    return peerStarts;
  }

  /** First row of each partition, then the row count. */
  int[] partitionStarts() {
    return partitionStarts;
  }

  /** A column of the rows; stays the batch's. */
  ColumnVector column(int index) {
    return rows.column(index);
  }

  /** A column of the rows, or a constant, one value a row; owned by the caller. */
  ColumnVector values(PhysicalExpression part, BufferAllocator allocator) {
    return switch (part) {
      case PhysicalExpression.Input input -> rows.column(input.index()).retain();
      case PhysicalExpression.Constant constant ->
          ConstantVector.of(constant.type(), constant.value(), rowCount, allocator);
      default ->
          throw new IllegalArgumentException("A window reads columns and constants: " + part);
    };
  }
}
