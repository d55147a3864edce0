package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Which rows of a result are not null, combined word by word from its arguments. Keeps its memory
 * from batch to batch.
 */
public final class ValidityMask {
  private long[] words = new long[0];
  private int length;
  private boolean allValid = true;

  /** All of so many rows are valid. */
  public void reset(int rowCount) {
    length = rowCount;
    allValid = true;
  }

  /** A row is valid where all arguments are. */
  public void reset(int rowCount, List<ColumnVector> arguments) {
    reset(rowCount);
    for (ColumnVector argument : arguments) {
      and(argument);
    }
  }

  /** Rows where the column is null become null. */
  public void and(ColumnVector column) {
    switch (column) {
      case FlatVector flat -> {
        if (flat.layout().kind() == PhysicalLayout.Kind.EMPTY) {
          clearAll();
        } else if (flat.validity() != null) {
          and(flat.validity());
        }
      }
      case DictionaryVector coded -> {
        if (coded.validity() != null) {
          and(coded.validity());
        }
      }
      case ConstantVector constant -> {
        if (constant.isNull()) {
          clearAll();
        }
      }
    }
  }

  private void and(MemorySegment bits) {
    materialize();
    int whole = length >>> 6;
    for (int word = 0; word < whole; word++) {
      words[word] &= bits.get(Layouts.INT64, 8L * word);
    }
    if ((length & 63) != 0) {
      words[whole] &= tail(bits, whole);
    }
  }

  private long tail(MemorySegment bits, int word) {
    long value = 0;
    long end = Bits.byteCount(length);
    for (long index = 8L * word; index < end; index++) {
      value |= (bits.get(Layouts.INT8, index) & 0xffL) << 8 * (index & 7);
    }
    return value;
  }

  /** Makes all rows null. */
  public void clearAll() {
    materialize();
    Arrays.fill(words, 0, wordCount(), 0);
  }

  private int wordCount() {
    return length + 63 >>> 6;
  }

  private void materialize() {
    if (allValid) {
      allValid = false;
      if (words.length < wordCount()) {
        words = new long[wordCount()];
      }
      Arrays.fill(words, 0, wordCount(), -1L);
    }
  }

  /** Makes a row null. */
  public void clear(int row) {
    materialize();
    words[row >>> 6] &= ~(1L << row);
  }

  /** Makes a row valid. */
  public void set(int row) {
    if (!allValid) {
      words[row >>> 6] |= 1L << row;
    }
  }

  /** Whether no row is null for sure. */
  public boolean isAllValid() {
    return allValid;
  }

  public boolean isValid(int row) {
    return allValid || (words[row >>> 6] >>> row & 1) != 0;
  }

  /** 1 for a valid row, 0 for null; when not {@link #isAllValid}. */
  int bit(int row) {
    return (int) (words[row >>> 6] >>> row) & 1;
  }

  /** The bitmap, owned by the caller; null when no row is null. */
  public ArrowBuf buffer(BufferAllocator allocator) {
    if (allValid || length == 0) {
      return null;
    }
    int whole = length >>> 6;
    int valid = 0;
    for (int word = 0; word < whole; word++) {
      valid += Long.bitCount(words[word]);
    }
    if ((length & 63) != 0) {
      words[whole] &= (1L << length) - 1;
      valid += Long.bitCount(words[whole]);
    }
    if (valid == length) {
      return null;
    }
    ArrowBuf buffer = allocator.buffer(8L * wordCount());
    MemorySegment target =
        MemorySegment.ofAddress(buffer.memoryAddress()).reinterpret(buffer.capacity());
    MemorySegment.copy(words, 0, target, Layouts.INT64, 0, wordCount());
    return buffer;
  }
}
