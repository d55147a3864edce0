package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The values of a group as a list or as one text, in the order they came. */
final class ListAccumulator implements AggregateKernel.Accumulator {
  private final DataType listType;
  private final boolean joins;
  private final CollectedValues values;
  private final BufferAllocator allocator;
  private String separator = ",";
  private int groupCount;

  /**
   * @param joins whether the result is one text, without nulls, joined by the second argument
   */
  ListAccumulator(DataType type, boolean joins, BufferAllocator allocator) {
    this.listType = DataType.list(type);
    this.joins = joins;
    this.values = new CollectedValues(type, allocator);
    this.allocator = allocator;
  }

  @Override
  public void resize(int newGroupCount) {
    groupCount = Math.max(groupCount, newGroupCount);
  }

  @Override
  public void add(int[] groups, List<ColumnVector> arguments, RowSet rows) {
    values.add(groups, arguments.get(0), rows, !joins);
    if (arguments.size() > 1) {
      readSeparator(arguments.get(1), rows);
    }
  }

  private void readSeparator(ColumnVector separators, RowSet rows) {
    if (rows.count() > 0 && separators.valueAt(rows.row(0)) instanceof String text) {
      separator = text;
    }
  }

  @Override
  public void merge(int[] groups, List<ColumnVector> states, RowSet rows) {
    try (FlatVector lists = states.get(0).flatten(allocator)) {
      values.addLists(groups, lists, rows);
    }
    if (states.size() > 1) {
      readSeparator(states.get(1), rows);
    }
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int count, BufferAllocator target) {
    FlatVector lists = values.lists(listType, firstGroup, count, groupCount, target);
    if (!joins) {
      return List.of(lists);
    }
    try (VectorBuilder separators = new VectorBuilder(DataType.STRING, target)) {
      for (int group = 0; group < count; group++) {
        separators.appendText(separator);
      }
      return List.of(lists, separators.finish());
    }
  }

  @Override
  public ColumnVector results(int firstGroup, int count, BufferAllocator target) {
    if (!joins) {
      return values.lists(listType, firstGroup, count, groupCount, target);
    }
    try (FlatVector texts = values.values(firstGroup, count, groupCount, target);
        VectorBuilder joined = new VectorBuilder(DataType.STRING, target)) {
      int next = 0;
      for (int group = firstGroup; group < firstGroup + count; group++) {
        int size = values.count(group, groupCount);
        if (size == 0) {
          joined.appendNull();
          continue;
        }
        StringBuilder text = new StringBuilder();
        for (int index = 0; index < size; index++) {
          text.append(index == 0 ? "" : separator).append(texts.textAt(next++));
        }
        joined.appendText(text.toString());
      }
      return joined.finish();
    }
  }

  @Override
  public long retainedBytes() {
    return values.bytes();
  }

  @Override
  public void close() {
    values.close();
  }
}
