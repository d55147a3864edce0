package io.millrace.core.batch;

import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Joins batches of one schema row after row. */
final class BatchConcatenation {
  private BatchConcatenation() {}

  static Batch concat(List<Batch> batches, BufferAllocator allocator) {
    List<Batch> compact = new ArrayList<>(batches.size());
    List<ColumnVector> columns = new ArrayList<>();
    try {
      Schema schema = batches.get(0).schema();
      int rowCount = 0;
      for (Batch batch : batches) {
        Batch compacted = batch.compact(allocator);
        compact.add(compacted);
        rowCount = Math.addExact(rowCount, compacted.rowCount());
      }
      for (int index = 0; index < schema.size(); index++) {
        int column = index;
        columns.add(
            Concatenation.of(
                compact.stream().map(batch -> batch.column(column)).toList(), allocator));
      }
      List<ColumnVector> given = List.copyOf(columns);
      columns.clear();
      return new Batch(schema, given, rowCount);
    } finally {
      batches.forEach(Batch::close);
      compact.forEach(Batch::close);
      columns.forEach(ColumnVector::close);
    }
  }
}
