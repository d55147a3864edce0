package io.millrace.exec.operator.key;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A column of any form seen as rows of a flat vector: for each selected row the position of its
 * value, or −1 for null. Loops over it need not know the form. Valid as long as the column.
 *
 * @param values borrowed from the column
 * @param positions one per selected row; may be longer
 */
public record ColumnRows(FlatVector values, int[] positions) {

  /**
   * @param selection physical rows, or null for all
   * @param count selected rows
   * @param scratch used for the positions when long enough
   */
  public static ColumnRows of(ColumnVector column, int[] selection, int count, int[] scratch) {
    int[] positions = scratch.length >= count ? scratch : new int[count];
    return switch (column) {
      case FlatVector flat -> {
        fill(flat, selection, count, positions);
        yield new ColumnRows(flat, positions);
      }
      case DictionaryVector coded -> {
        fillCodes(coded, selection, count, positions);
        yield new ColumnRows(coded.dictionary(), positions);
      }
      case ConstantVector constant -> {
        Arrays.fill(positions, 0, count, constant.isNull() ? -1 : 0);
        yield new ColumnRows(constant.value(), positions);
      }
    };
  }

  private static void fill(FlatVector flat, int[] selection, int count, int[] positions) {
    if (flat.layout().kind() == PhysicalLayout.Kind.EMPTY) {
      Arrays.fill(positions, 0, count, -1);
      return;
    }
    if (selection == null) {
      for (int index = 0; index < count; index++) {
        positions[index] = index;
      }
    } else {
      System.arraycopy(selection, 0, positions, 0, count);
    }
    MemorySegment validity = flat.validity();
    if (validity != null) {
      for (int index = 0; index < count; index++) {
        if (!Bits.get(validity, positions[index])) {
          positions[index] = -1;
        }
      }
    }
  }

  private static void fillCodes(
      DictionaryVector coded, int[] selection, int count, int[] positions) {
    MemorySegment codes = coded.codes();
    MemorySegment validity = coded.validity();
    if (selection == null && validity == null) {
      MemorySegment.copy(codes, Layouts.INT32, 0, positions, 0, count);
      return;
    }
    for (int index = 0; index < count; index++) {
      int row = selection == null ? index : selection[index];
      positions[index] =
          validity == null || Bits.get(validity, row) ? codes.get(Layouts.INT32, 4L * row) : -1;
    }
  }
}
