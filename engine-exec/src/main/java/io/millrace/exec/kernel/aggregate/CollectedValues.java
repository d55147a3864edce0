package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.list.ListRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** All values of each group, in the order they came. */
final class CollectedValues implements AutoCloseable {
  private final ValuePool pool;

  /** The group of each value of the pool. */
  private int[] groups = new int[0];

  private int valueCount;

  /** The values' places, group after group; built when asked for, gone when a value is added. */
  private int[] order;

  private int[] starts;

  CollectedValues(DataType type, BufferAllocator allocator) {
    this.pool = new ValuePool(type, allocator);
  }

  /** Adds the rows' values, or only those that are not null. */
  void add(int[] rowGroups, ColumnVector column, RowSet rows, boolean keepNulls) {
    int[] kept = new int[rows.count()];
    reserve(rows.count());
    int count = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      if (keepNulls || !column.isNull(row)) {
        groups[valueCount + count] = rowGroups[position];
        kept[count++] = row;
      }
    }
    append(column, kept, count);
  }

  /** Adds the elements of each row's list. */
  void addLists(int[] rowGroups, FlatVector lists, RowSet rows) {
    int total = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      total += lists.isNull(row) ? 0 : ListRows.count(lists, row);
    }
    int[] elements = new int[total];
    reserve(total);
    int count = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      int length = lists.isNull(row) ? 0 : ListRows.count(lists, row);
      for (int index = 0; index < length; index++) {
        groups[valueCount + count] = rowGroups[position];
        elements[count++] = ListRows.start(lists, row) + index;
      }
    }
    append(lists.child(0), elements, count);
  }

  private void reserve(int more) {
    if (groups.length < valueCount + more) {
      groups = Arrays.copyOf(groups, Math.max(valueCount + more, groups.length * 2));
    }
  }

  private void append(ColumnVector column, int[] rows, int count) {
    if (count > 0) {
      pool.append(column, rows, count);
      valueCount += count;
      order = null;
    }
  }

  private void arrange(int groupCount) {
    if (order != null && starts.length > groupCount) {
      return;
    }
    starts = new int[groupCount + 1];
    for (int value = 0; value < valueCount; value++) {
      starts[groups[value] + 1]++;
    }
    for (int group = 0; group < groupCount; group++) {
      starts[group + 1] += starts[group];
    }
    int[] next = Arrays.copyOf(starts, groupCount);
    order = new int[valueCount];
    for (int value = 0; value < valueCount; value++) {
      order[next[groups[value]]++] = value;
    }
  }

  /** How many values a group has. */
  int count(int group, int groupCount) {
    arrange(groupCount);
    return starts[group + 1] - starts[group];
  }

  /** The values of a range of groups, one group after the other; owned by the caller. */
  FlatVector values(int firstGroup, int count, int groupCount, BufferAllocator allocator) {
    arrange(groupCount);
    return pool.gather(
        Arrays.copyOfRange(order, starts[firstGroup], starts[firstGroup + count]), allocator);
  }

  /** A list per group; null for a group without values. */
  FlatVector lists(
      DataType type, int firstGroup, int count, int groupCount, BufferAllocator allocator) {
    FlatVector values = values(firstGroup, count, groupCount, allocator);
    ArrowBuf validity = null;
    ArrowBuf offsets = null;
    try {
      validity = allocator.buffer(Math.max(8, Bits.byteCount(count)));
      validity.setZero(0, validity.capacity());
      offsets = allocator.buffer(4L * (count + 1));
      MemorySegment bits = segment(validity);
      MemorySegment ends = segment(offsets);
      ends.set(ValueLayout.JAVA_INT_UNALIGNED, 0, 0);
      int nulls = 0;
      for (int index = 0; index < count; index++) {
        int group = firstGroup + index;
        int end = starts[group + 1] - starts[firstGroup];
        ends.set(ValueLayout.JAVA_INT_UNALIGNED, 4L * (index + 1), end);
        if (starts[group + 1] > starts[group]) {
          Bits.set(bits, index, true);
        } else {
          nulls++;
        }
      }
      return FlatVector.ofNested(type, count, nulls, validity, offsets, List.of(values));
    } catch (RuntimeException | Error failure) {
      values.close();
      if (validity != null) {
        validity.close();
      }
      if (offsets != null) {
        offsets.close();
      }
      throw failure;
    }
  }

  private static MemorySegment segment(ArrowBuf buffer) {
    return MemorySegment.ofAddress(buffer.memoryAddress()).reinterpret(buffer.capacity());
  }

  long bytes() {
    return pool.bytes() + 8L * groups.length;
  }

  @Override
  public void close() {
    pool.close();
    order = null;
    valueCount = 0;
  }
}
