package io.millrace.exec.operator.key;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.Bits;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes the keys of one batch at a time, column by column, into words, and hashes them. Keeps its
 * arrays from batch to batch. Hashes depend on values and types only, so they are the same in every
 * process.
 */
public final class KeyRows {
  private final KeyLayout layout;
  private final boolean[] nullSafe;
  private int count;
  private long[] words = new long[0];
  private int[] offsets = new int[1];
  private long[] hashes = new long[0];
  private int[] scratch = new int[0];
  private boolean[] unmatchable = new boolean[0];
  private boolean anyUnmatchable;
  private byte[][][] nested;

  /**
   * @param types of the key columns
   * @param nullSafe per column whether null equals null; elsewhere a null makes its row {@link
   *     #isUnmatchable}
   */
  public KeyRows(List<DataType> types, boolean[] nullSafe) {
    this.layout = KeyLayout.of(types);
    this.nullSafe = nullSafe;
  }

  /** Keys of which all nulls are equal, as for grouping. */
  public static KeyRows ofGroups(List<DataType> types) {
    boolean[] all = new boolean[types.size()];
    Arrays.fill(all, true);
    return new KeyRows(types, all);
  }

  KeyLayout layout() {
    return layout;
  }

  /** Whether rows of both kinds can be compared. */
  public boolean comparable(KeyRows other) {
    return layout.fits(other.layout);
  }

  /** Whether null equals null in a column. */
  public boolean isNullSafe(int column) {
    return nullSafe[column];
  }

  /** Rows encoded last. */
  public int count() {
    return count;
  }

  /** Hash of a row. */
  public long hash(int row) {
    return hashes[row];
  }

  /** Hashes of the rows encoded last; read only, may be longer. */
  public long[] hashes() {
    return hashes;
  }

  /** Whether the row has a null in a column that is not null-safe. */
  public boolean isUnmatchable(int row) {
    return anyUnmatchable && unmatchable[row];
  }

  long[] words() {
    return words;
  }

  /** First word of a row. */
  int start(int row) {
    return layout.variable() ? offsets[row] : row * layout.fixedWords();
  }

  /** Words of a row. */
  int length(int row) {
    return layout.variable() ? offsets[row + 1] - offsets[row] : layout.fixedWords();
  }

  /** Words of all rows. */
  public long wordCount() {
    return layout.variable() ? offsets[count] : (long) count * layout.fixedWords();
  }

  /** Encodes and hashes the selected rows of a batch. */
  public void encode(Batch batch, List<Integer> columns) {
    encode(batch, columns, batch.selection(), batch.rowCount());
  }

  /**
   * The same for other rows.
   *
   * @param rows physical rows, or null for all
   */
  public void encode(Batch batch, List<Integer> columns, int[] rows, int rowCount) {
    count = rowCount;
    anyUnmatchable = false;
    ensureRows();
    ColumnRows[] views = new ColumnRows[columns.size()];
    if (layout.variable()) {
      measure(batch, columns, rows, views);
    } else {
      ensureWords(Math.multiplyExact(count, layout.fixedWords()));
    }
    MemorySegment out = MemorySegment.ofArray(words);
    for (int index = 0; index < columns.size(); index++) {
      ColumnRows view = views[index];
      if (view == null) {
        view = ColumnRows.of(batch.column(columns.get(index)), rows, count, scratch);
      }
      encodeColumn(index, view, out);
    }
    hashRows();
  }

  private void ensureRows() {
    if (hashes.length < count) {
      int capacity = Math.max(count, 1024);
      hashes = new long[capacity];
      scratch = new int[capacity];
      unmatchable = new boolean[capacity];
      offsets = new int[capacity + 1];
    }
  }

  private void ensureWords(int wordCount) {
    if (words.length < wordCount) {
      words = new long[Math.max(wordCount, Math.min(words.length * 2, 1 << 20))];
    } else {
      Arrays.fill(words, 0, wordCount, 0);
    }
  }

  /** Finds the length of every row; keeps the views of variable columns. */
  private void measure(Batch batch, List<Integer> columns, int[] rows, ColumnRows[] views) {
    int[] bytes = new int[count];
    nested = new byte[columns.size()][][];
    for (int index = 0; index < columns.size(); index++) {
      KeyLayout.Column column = layout.columns().get(index);
      if (!column.isVariable()) {
        continue;
      }
      ColumnRows view =
          ColumnRows.of(batch.column(columns.get(index)), rows, count, new int[count]);
      views[index] = view;
      if (column.form() == KeyLayout.Form.NESTED) {
        nested[index] = nestedBytes(view);
        for (int row = 0; row < count; row++) {
          bytes[row] += nested[index][row] == null ? 0 : nested[index][row].length;
        }
      } else {
        addLengths(view, bytes);
      }
    }
    long total = 0;
    for (int row = 0; row < count; row++) {
      offsets[row] = (int) total;
      total += (layout.fixedBytes() + (long) bytes[row] + 7) >>> 3;
    }
    offsets[count] = Math.toIntExact(total);
    ensureWords(offsets[count]);
  }

  private void addLengths(ColumnRows view, int[] bytes) {
    MemorySegment valueOffsets = view.values().offsets();
    int[] positions = view.positions();
    for (int row = 0; row < count; row++) {
      int position = positions[row];
      if (position >= 0) {
        bytes[row] +=
            valueOffsets.get(Layouts.INT32, 4L * position + 4)
                - valueOffsets.get(Layouts.INT32, 4L * position);
      }
    }
  }

  private byte[][] nestedBytes(ColumnRows view) {
    byte[][] rows = new byte[count][];
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int row = 0; row < count; row++) {
      if (view.positions()[row] >= 0) {
        out.reset();
        NestedKeys.write(view.values(), view.positions()[row], out);
        rows[row] = out.toByteArray();
      }
    }
    return rows;
  }

  private void encodeColumn(int index, ColumnRows view, MemorySegment out) {
    KeyLayout.Column column = layout.columns().get(index);
    markNulls(index, view.positions(), out);
    switch (column.form()) {
      case EMPTY -> {}
      case BIT -> encodeBits(column, view, out);
      case PLAIN -> encodePlain(column, view, out);
      case FLOAT16, FLOAT32, FLOAT64 -> encodeFloats(column, view, out);
      case INTERVAL -> encodeIntervals(column, view, out);
      case BYTES -> encodeBytes(index, view, out);
      case NESTED -> encodeNested(index, out);
    }
  }

  private long rowByte(int row) {
    return 8L * start(row);
  }

  private void markNulls(int index, int[] positions, MemorySegment out) {
    int mask = 1 << (index & 7);
    boolean matches = nullSafe[index];
    for (int row = 0; row < count; row++) {
      if (positions[row] < 0) {
        long at = rowByte(row) + (index >>> 3);
        out.set(Layouts.INT8, at, (byte) (out.get(Layouts.INT8, at) | mask));
        if (!matches) {
          if (!anyUnmatchable) {
            Arrays.fill(unmatchable, 0, count, false);
            anyUnmatchable = true;
          }
          unmatchable[row] = true;
        }
      }
    }
  }

  private void encodeBits(KeyLayout.Column column, ColumnRows view, MemorySegment out) {
    MemorySegment values = view.values().values();
    int[] positions = view.positions();
    for (int row = 0; row < count; row++) {
      if (positions[row] >= 0 && Bits.get(values, positions[row])) {
        out.set(Layouts.INT8, rowByte(row) + column.byteOffset(), (byte) 1);
      }
    }
  }

  private void encodePlain(KeyLayout.Column column, ColumnRows view, MemorySegment out) {
    MemorySegment values = view.values().values();
    int[] positions = view.positions();
    int offset = column.byteOffset();
    int width = column.byteWidth();
    switch (width) {
      case 4 -> {
        for (int row = 0; row < count; row++) {
          int position = positions[row];
          if (position >= 0) {
            out.set(Layouts.INT32, rowByte(row) + offset, values.get(Layouts.INT32, 4L * position));
          }
        }
      }
      case 8 -> {
        for (int row = 0; row < count; row++) {
          int position = positions[row];
          if (position >= 0) {
            out.set(Layouts.INT64, rowByte(row) + offset, values.get(Layouts.INT64, 8L * position));
          }
        }
      }
      case 16 -> {
        for (int row = 0; row < count; row++) {
          int position = positions[row];
          if (position >= 0) {
            long at = rowByte(row) + offset;
            out.set(Layouts.INT64, at, values.get(Layouts.INT64, 16L * position));
            out.set(Layouts.INT64, at + 8, values.get(Layouts.INT64, 16L * position + 8));
          }
        }
      }
      default -> {
        for (int row = 0; row < count; row++) {
          int position = positions[row];
          if (position >= 0) {
            MemorySegment.copy(values, (long) width * position, out, rowByte(row) + offset, width);
          }
        }
      }
    }
  }

  private void encodeFloats(KeyLayout.Column column, ColumnRows view, MemorySegment out) {
    MemorySegment values = view.values().values();
    int[] positions = view.positions();
    for (int row = 0; row < count; row++) {
      int position = positions[row];
      if (position < 0) {
        continue;
      }
      long at = rowByte(row) + column.byteOffset();
      switch (column.form()) {
        case FLOAT16 ->
            out.set(
                Layouts.INT16,
                at,
                CanonicalFloats.float16(values.get(Layouts.INT16, 2L * position)));
        case FLOAT32 ->
            out.set(
                Layouts.INT32,
                at,
                CanonicalFloats.float32(values.get(Layouts.INT32, 4L * position)));
        default ->
            out.set(
                Layouts.INT64,
                at,
                CanonicalFloats.float64(values.get(Layouts.INT64, 8L * position)));
      }
    }
  }

  private void encodeIntervals(KeyLayout.Column column, ColumnRows view, MemorySegment out) {
    MemorySegment values = view.values().values();
    for (int row = 0; row < count; row++) {
      int position = view.positions()[row];
      if (position >= 0) {
        long at = rowByte(row) + column.byteOffset();
        out.set(Layouts.INT64, at, CanonicalInterval.days(values, 16L * position));
        out.set(Layouts.INT64, at + 8, CanonicalInterval.nanoseconds(values, 16L * position));
      }
    }
  }

  private void encodeBytes(int index, ColumnRows view, MemorySegment out) {
    KeyLayout.Column column = layout.columns().get(index);
    FlatVector vector = view.values();
    MemorySegment values = vector.values();
    MemorySegment valueOffsets = vector.offsets();
    int[] positions = view.positions();
    boolean first = isFirstVariable(index);
    for (int row = 0; row < count; row++) {
      int position = positions[row];
      if (position < 0) {
        continue;
      }
      int from = valueOffsets.get(Layouts.INT32, 4L * position);
      int length = valueOffsets.get(Layouts.INT32, 4L * position + 4) - from;
      long rowByte = rowByte(row);
      long target = rowByte + layout.fixedBytes() + (first ? 0 : bytesBefore(index, rowByte, out));
      out.set(Layouts.INT32, rowByte + column.byteOffset(), length);
      copyBytes(values, from, out, target, length);
    }
  }

  /** Short values are the rule in keys; a loop beats the call for them. */
  private static void copyBytes(
      MemorySegment values, long from, MemorySegment out, long target, int length) {
    if (length > 16) {
      MemorySegment.copy(values, from, out, target, length);
      return;
    }
    for (int index = 0; index < length; index++) {
      out.set(Layouts.INT8, target + index, values.get(Layouts.INT8, from + index));
    }
  }

  private void encodeNested(int index, MemorySegment out) {
    KeyLayout.Column column = layout.columns().get(index);
    for (int row = 0; row < count; row++) {
      byte[] bytes = nested[index][row];
      if (bytes != null) {
        long rowByte = rowByte(row);
        long target = rowByte + layout.fixedBytes() + bytesBefore(index, rowByte, out);
        out.set(Layouts.INT32, rowByte + column.byteOffset(), bytes.length);
        MemorySegment.copy(bytes, 0, out, Layouts.INT8, target, bytes.length);
      }
    }
    nested[index] = null;
  }

  private boolean isFirstVariable(int index) {
    return layout.columns().subList(0, index).stream().noneMatch(KeyLayout.Column::isVariable);
  }

  /** Bytes of the variable columns before the given one; they were written already. */
  private long bytesBefore(int index, long rowByte, MemorySegment rows) {
    long bytes = 0;
    for (int before = 0; before < index; before++) {
      KeyLayout.Column column = layout.columns().get(before);
      if (column.isVariable()) {
        bytes += rows.get(Layouts.INT32, rowByte + column.byteOffset());
      }
    }
    return bytes;
  }

  private void hashRows() {
    if (layout.variable()) {
      for (int row = 0; row < count; row++) {
        hashes[row] = KeyHash.of(words, offsets[row], offsets[row + 1]);
      }
      return;
    }
    int stride = layout.fixedWords();
    for (int row = 0; row < count; row++) {
      hashes[row] = KeyHash.of(words, row * stride, row * stride + stride);
    }
  }
}
