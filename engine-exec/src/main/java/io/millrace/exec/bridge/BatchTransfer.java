package io.millrace.exec.bridge;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Moves a batch's buffers to another allocator without copying, so that it may outlive the task
 * that made it. Shared buffers stay shared; only their accounting moves.
 */
public final class BatchTransfer {
  private BatchTransfer() {}

  /**
   * The batch under the other allocator; consumes this one.
   *
   * @param batch compact
   */
  public static Batch to(BufferAllocator target, Batch batch) {
    List<ColumnVector> moved = new ArrayList<>(batch.columnCount());
    try (Batch source = batch) {
      for (ColumnVector column : source.columns()) {
        moved.add(
            switch (column) {
              case FlatVector flat -> flat(flat, target);
              case DictionaryVector coded ->
                  new DictionaryVector(
                      flat(coded.codeVector(), target), flat(coded.dictionary(), target));
              case ConstantVector constant ->
                  new ConstantVector(flat(constant.value(), target), constant.length());
            });
      }
      return new Batch(source.schema(), moved, source.rowCount());
    }
  }

  private static FlatVector flat(FlatVector vector, BufferAllocator target) {
    return new FlatVector(
        vector.type(),
        vector.length(),
        vector.nullCount(),
        buffer(vector.validityBuffer(), target),
        buffer(vector.offsetBuffer(), target),
        buffer(vector.valueBuffer(), target),
        vector.children().stream().map(child -> flat(child, target)).toList());
  }

  private static ArrowBuf buffer(ArrowBuf buffer, BufferAllocator target) {
    return buffer == null
        ? null
        : buffer.getReferenceManager().transferOwnership(buffer, target).getTransferredBuffer();
  }
}
