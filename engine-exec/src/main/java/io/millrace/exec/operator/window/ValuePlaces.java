package io.millrace.exec.operator.window;

import io.millrace.core.batch.ColumnVector;
import java.util.Arrays;

/** The rows of a column that are not null. */
final class ValuePlaces {
  private final int[] rows;

  ValuePlaces(ColumnVector values, int rowCount) {
    int[] found = new int[rowCount];
    int count = 0;
    for (int row = 0; row < rowCount; row++) {
      if (!values.isNull(row)) {
        found[count++] = row;
      }
    }
    this.rows = Arrays.copyOf(found, count);
  }

  /** The first of these rows from a row on, by its place among them. */
  private int placeFrom(int row) {
    int place = Arrays.binarySearch(rows, row);
    return place < 0 ? -1 - place : place;
  }

  /** The nth such row of a range, from 1; −1 when there are fewer. */
  int nth(int start, int end, long number) {
    long place = placeFrom(start) + number - 1;
    return place < rows.length && rows[(int) place] < end ? rows[(int) place] : -1;
  }

  /** The nth such row of a range from its end, from 1; −1 when there are fewer. */
  int nthFromEnd(int start, int end, long number) {
    long place = placeFrom(end) - number;
    return place >= 0 && rows[(int) place] >= start ? rows[(int) place] : -1;
  }

  /** How many there are in a range. */
  int count(int start, int end) {
    return placeFrom(end) - placeFrom(start);
  }
}
