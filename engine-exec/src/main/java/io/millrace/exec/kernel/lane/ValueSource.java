package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.spi.RowSet;
import java.lang.foreign.MemorySegment;

/** The flat vector under a column of any form, and which of its rows a block reads. */
public final class ValueSource {
  private final int[] indexes = new int[Lane.BLOCK_ROWS];
  private FlatVector flat;
  private MemorySegment codes;
  private boolean guarded;
  private boolean constant;
  private boolean empty;

  /** Reads from this vector until the next bind; borrowed. */
  public void bind(ColumnVector vector) {
    codes = null;
    guarded = false;
    constant = false;
    switch (vector) {
      case FlatVector plain -> flat = plain;
      case ConstantVector same -> {
        flat = same.value();
        constant = true;
      }
      case DictionaryVector coded -> {
        flat = coded.dictionary();
        codes = coded.codes();
        guarded = coded.validity() != null;
      }
    }
    empty = flat.length() == 0 || flat.layout().kind() == PhysicalLayout.Kind.EMPTY;
  }

  /** The flat values: the column itself, the dictionary, or the constant's one row. */
  public FlatVector flat() {
    return flat;
  }

  /** Whether the values are those of a dictionary. */
  boolean isCoded() {
    return codes != null;
  }

  public boolean isConstant() {
    return constant;
  }

  /** Whether there is no value to read: all rows are null, or there are none. */
  public boolean isEmpty() {
    return empty;
  }

  /** Whether a block reads neighbouring rows of {@link #flat}, from its own first position. */
  public boolean isContiguous(RowSet rows) {
    return codes == null && !constant && rows.isAll();
  }

  /**
   * The row of {@link #flat} behind each position of a block; valid until the next call. Null rows
   * give any row that exists.
   */
  public int[] indexes(RowSet rows, int from, int count) {
    int[] selected = rows.selected();
    if (constant) {
      java.util.Arrays.fill(indexes, 0, count, 0);
    } else if (codes == null) {
      if (rows.isAll()) {
        for (int lane = 0; lane < count; lane++) {
          indexes[lane] = from + lane;
        }
      } else {
        System.arraycopy(selected, from, indexes, 0, count);
      }
    } else {
      if (rows.isAll()) {
        MemorySegment.copy(codes, Layouts.INT32, 4L * from, indexes, 0, count);
      } else {
        for (int lane = 0; lane < count; lane++) {
          indexes[lane] = codes.get(Layouts.INT32, 4L * selected[from + lane]);
        }
      }
      if (guarded) {
        guard(count);
      }
    }
    return indexes;
  }

  /** The code of a null row is unspecified: keep it inside the dictionary. */
  private void guard(int count) {
    int entries = flat.length();
    for (int lane = 0; lane < count; lane++) {
      int code = indexes[lane];
      indexes[lane] = code >= 0 && code < entries ? code : 0;
    }
  }
}
