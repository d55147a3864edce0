package io.millrace.exec.kernel.vector;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;

/** Reads rows of an embedding or list of numbers into an array. */
final class VectorReader {
  private FlatVector lists;
  private FlatVector elements;
  private boolean floats;
  private boolean doubles;
  private boolean integers;
  private double[] values = new double[0];
  private int length;
  private boolean whole;

  /** Reads from this vector until the next bind; borrowed. */
  void bind(FlatVector vector) {
    lists = vector;
    elements = vector.child(0);
    floats = elements.type() instanceof DataType.Float type && type.bits() == 32;
    doubles = elements.type() instanceof DataType.Float type && type.bits() == 64;
    integers = elements.type() instanceof DataType.Int;
  }

  /** Elements of the last row read. */
  int length() {
    return length;
  }

  /** The last row read; overwritten by the next read. */
  double[] values() {
    return values;
  }

  /** Whether the last row read has no null element. */
  boolean isWhole() {
    return whole;
  }

  /** Reads a row. */
  void read(int row) {
    boolean fixed = lists.layout().kind() == PhysicalLayout.Kind.FIXED_LIST;
    int start = fixed ? row * lists.layout().listSize() : lists.startAt(row);
    length = fixed ? lists.layout().listSize() : lists.endAt(row) - start;
    if (values.length < length) {
      values = new double[length];
    }
    MemorySegment data = elements.values();
    if (floats) {
      for (int index = 0; index < length; index++) {
        values[index] = data.get(Layouts.FLOAT32, 4L * (start + index));
      }
    } else if (doubles) {
      MemorySegment.copy(data, Layouts.FLOAT64, 8L * start, values, 0, length);
    } else {
      for (int index = 0; index < length; index++) {
        values[index] =
            integers ? elements.longAt(start + index) : elements.doubleAt(start + index);
      }
    }
    whole = hasNoNull(start);
  }

  private boolean hasNoNull(int start) {
    if (elements.validity() != null) {
      for (int index = 0; index < length; index++) {
        if (elements.isNull(start + index)) {
          return false;
        }
      }
    }
    return true;
  }
}
