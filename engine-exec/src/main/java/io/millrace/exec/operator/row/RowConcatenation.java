package io.millrace.exec.operator.row;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Concatenation;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Makes one batch of many, column by column in bounded steps; a joined column's parts are released
 * before the next one is joined.
 */
public final class RowConcatenation implements AutoCloseable {
  private final Schema schema;
  private final BufferAllocator allocator;
  private final List<List<ColumnVector>> parts = new ArrayList<>();
  private final List<ColumnVector> columns = new ArrayList<>();
  private final int rowCount;
  private final long bytes;

  /**
   * Takes ownership of the batches.
   *
   * @param batches without selections; may be none
   */
  public RowConcatenation(Schema schema, List<Batch> batches, BufferAllocator allocator) {
    this.schema = schema;
    this.allocator = allocator;
    int count = 0;
    long retained = 0;
    for (Batch batch : batches) {
      count = Math.addExact(count, batch.rowCount());
      retained += batch.retainedBytes();
      parts.add(batch.takeColumns());
    }
    this.rowCount = count;
    this.bytes = retained;
  }

  public int rowCount() {
    return rowCount;
  }

  /** Bytes of the parts. */
  public long bytes() {
    return bytes;
  }

  /**
   * Bytes needed beside the parts: one column is held twice at a time, and columns with different
   * dictionaries become flat.
   */
  public long extraBytes() {
    if (parts.size() <= 1) {
      return 0;
    }
    long widest = 0;
    long growth = 0;
    for (int column = 0; column < schema.size(); column++) {
      boolean shared = sharesDictionary(column);
      long joined = 0;
      long before = 0;
      for (List<ColumnVector> part : parts) {
        before += RowBytes.of(part.get(column));
        joined += shared ? RowBytes.of(part.get(column)) : RowBytes.flat(part.get(column));
      }
      widest = Math.max(widest, joined);
      growth += Math.max(0, joined - before);
    }
    return widest + growth;
  }

  private boolean sharesDictionary(int column) {
    if (!(parts.get(0).get(column) instanceof DictionaryVector first)) {
      return false;
    }
    return parts.stream()
        .allMatch(
            part ->
                part.get(column) instanceof DictionaryVector coded && coded.sameDictionary(first));
  }

  /** The first rows of the first part that has any, to measure by; empty when there are no rows. */
  public Batch sample(int limit) {
    for (List<ColumnVector> part : parts) {
      int count = part.isEmpty() ? 0 : Math.min(limit, part.get(0).length());
      if (count > 0) {
        return new Batch(
            schema, part.stream().map(column -> column.slice(0, count)).toList(), count);
      }
    }
    return Batch.empty(schema, allocator);
  }

  /** Whether no column was joined yet. */
  public boolean isUntouched() {
    return columns.isEmpty();
  }

  /** The batches again, owned by the caller; legal while untouched. */
  public List<Batch> takeBack() {
    List<Batch> batches = new ArrayList<>();
    for (List<ColumnVector> part : parts) {
      batches.add(new Batch(schema, part, part.isEmpty() ? 0 : part.get(0).length()));
    }
    parts.clear();
    return batches;
  }

  /** Joins the next column; the batch, owned by the caller, when all are joined, else null. */
  public Batch step() {
    if (columns.size() < schema.size()) {
      int column = columns.size();
      List<ColumnVector> sources = parts.stream().map(part -> part.get(column)).toList();
      if (sources.size() == 1) {
        columns.add(sources.get(0).retain());
      } else if (sources.isEmpty()) {
        try (Batch empty = Batch.empty(schema, allocator)) {
          columns.add(empty.column(column).retain());
        }
      } else {
        columns.add(Concatenation.of(sources, allocator));
      }
      sources.forEach(ColumnVector::close);
      if (columns.size() < schema.size()) {
        return null;
      }
    }
    List<ColumnVector> joined = List.copyOf(columns);
    columns.clear();
    parts.clear();
    return new Batch(schema, joined, rowCount);
  }

  @Override
  public void close() {
    parts.forEach(part -> part.forEach(ColumnVector::close));
    parts.clear();
    columns.forEach(ColumnVector::close);
    columns.clear();
  }
}
