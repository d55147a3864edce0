package io.millrace.core.plan;

import java.util.Optional;

/**
 * The rows around the current one that a window function sees, within its partition.
 *
 * @param start the first row; a start after the end means no rows
 */
public record WindowFrame(Unit unit, Bound start, Bound end, Exclusion exclusion) {

  /** What offsets count. */
  public enum Unit {
    /** Rows. */
    ROWS,
    /** Differences of the one sort key. */
    RANGE,
    /** Groups of rows with equal sort keys. */
    GROUPS
  }

  /** Where a frame begins or ends. */
  public enum Edge {
    UNBOUNDED_PRECEDING,
    PRECEDING,
    CURRENT_ROW,
    FOLLOWING,
    UNBOUNDED_FOLLOWING
  }

  /** Rows that are left out of the frame. */
  public enum Exclusion {
    NO_OTHERS,
    CURRENT_ROW,
    /** The current row and those with equal sort keys. */
    GROUP,
    /** The rows with sort keys equal to the current row's, but not itself. */
    TIES
  }

  /**
   * One end of a frame.
   *
   * @param offset for PRECEDING and FOLLOWING, an input column or a constant: of ROWS and GROUPS
   *     the count as int64, never negative; of RANGE the value of the sort key at the edge, of the
   *     key's type (null where the key is null)
   */
  public record Bound(Edge edge, Optional<PhysicalExpression> offset) {

    public static Bound of(Edge edge) {
      return new Bound(edge, Optional.empty());
    }
  }

  /** All rows of the partition. */
  public static final WindowFrame WHOLE =
      new WindowFrame(
          Unit.RANGE,
          Bound.of(Edge.UNBOUNDED_PRECEDING),
          Bound.of(Edge.UNBOUNDED_FOLLOWING),
          Exclusion.NO_OTHERS);

  /** Whether every row sees the whole partition. */
  public boolean isWhole() {
    return start.edge() == Edge.UNBOUNDED_PRECEDING
        && end.edge() == Edge.UNBOUNDED_FOLLOWING
        && exclusion == Exclusion.NO_OTHERS;
  }
}
