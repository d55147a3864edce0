package io.millrace.exec.operator.row;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;

/**
 * What rows are worth, as against what their batch keeps alive: a slice of a large batch retains
 * all of it, and batches that share a dictionary each retain it.
 */
public final class RowBytes {
  private RowBytes() {}

  /** Bytes of the physical rows; of dictionary-coded columns the codes only. */
  public static long of(Batch batch) {
    long bytes = 0;
    for (ColumnVector column : batch.columns()) {
      bytes += of(column);
    }
    return bytes;
  }

  /** The same of one column. */
  static long of(ColumnVector column) {
    return switch (column) {
      case FlatVector flat -> of(flat, 0, flat.length());
      case DictionaryVector coded -> of(coded.codeVector(), 0, coded.length());
      case ConstantVector constant -> of(constant.value(), 0, 1);
    };
  }

  /** The rows as they would be in a flat vector, estimated by the average dictionary entry. */
  static long flat(ColumnVector column) {
    return switch (column) {
      case FlatVector flat -> of(flat, 0, flat.length());
      case DictionaryVector coded -> {
        FlatVector dictionary = coded.dictionary();
        int entries = Math.max(1, dictionary.length());
        yield of(dictionary, 0, dictionary.length()) / entries * coded.length()
            + 8L * coded.length();
      }
      case ConstantVector constant -> of(constant.value(), 0, 1) * Math.max(1, constant.length());
    };
  }

  private static long of(FlatVector vector, int from, int to) {
    int count = to - from;
    if (count <= 0) {
      return 0;
    }
    long bytes = vector.validity() == null ? 0 : Bits.byteCount(count);
    return bytes
        + switch (vector.layout().kind()) {
          case EMPTY -> 0L;
          case BITS -> Bits.byteCount(count);
          case FIXED -> (long) count * vector.layout().byteWidth();
          case VARIABLE -> 4L * count + vector.endAt(to - 1) - vector.startAt(from);
          case LIST -> 4L * count + of(vector.child(0), vector.startAt(from), vector.endAt(to - 1));
          case FIXED_LIST -> {
            int size = vector.layout().listSize();
            yield of(vector.child(0), from * size, to * size);
          }
          case STRUCT -> {
            long members = 0;
            for (FlatVector child : vector.children()) {
              members += of(child, from, to);
            }
            yield members;
          }
        };
  }
}
