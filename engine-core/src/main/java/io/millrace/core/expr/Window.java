package io.millrace.core.expr;

import io.millrace.core.plan.WindowFrame;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The rows that a window function sees from a row: those of its partition, in an order, and of them
 * the frame. Immutable; each call gives a new one. Without a frame it is the rows up to the current
 * one and its peers when there is an order, else the whole partition.
 *
 * @param partition equal values make a partition; none for one partition of all rows
 * @param frame empty for the frame described above
 */
public record Window(List<Expr> partition, List<SortKey> order, Optional<Frame> frame) {
  /** As an end of a frame: from the partition's first row. */
  public static final long UNBOUNDED_PRECEDING = Long.MIN_VALUE;

  /** As an end of a frame: up to the partition's last row. */
  public static final long UNBOUNDED_FOLLOWING = Long.MAX_VALUE;

  /** As an end of a frame: the current row, or its peers. */
  public static final long CURRENT_ROW = 0;

  public Window {
    partition = List.copyOf(partition);
    order = List.copyOf(order);
  }

  /** One end of a frame; the offset is there for PRECEDING and FOLLOWING only. */
  public record Bound(WindowFrame.Edge edge, Optional<Expr> offset) {
    private static Bound of(long distance) {
      if (distance == UNBOUNDED_PRECEDING) {
        return new Bound(WindowFrame.Edge.UNBOUNDED_PRECEDING, Optional.empty());
      }
      if (distance == UNBOUNDED_FOLLOWING) {
        return new Bound(WindowFrame.Edge.UNBOUNDED_FOLLOWING, Optional.empty());
      }
      if (distance == CURRENT_ROW) {
        return new Bound(WindowFrame.Edge.CURRENT_ROW, Optional.empty());
      }
      WindowFrame.Edge edge =
          distance < 0 ? WindowFrame.Edge.PRECEDING : WindowFrame.Edge.FOLLOWING;
      return new Bound(edge, Optional.of(Column.of(Math.abs(distance)).expr()));
    }
  }

  /** Rows around the current one. */
  public record Frame(
      WindowFrame.Unit unit, Bound start, Bound end, WindowFrame.Exclusion exclusion) {}

  /** One partition of all rows. */
  public static Window all() {
    return new Window(List.of(), List.of(), Optional.empty());
  }

  public static Window partitionBy(String... columns) {
    return partitionBy(Arrays.stream(columns).map(Columns::col).toArray(Column[]::new));
  }

  public static Window partitionBy(Column... columns) {
    List<Expr> partition = Arrays.stream(columns).map(Column::expr).toList();
    return new Window(partition, List.of(), Optional.empty());
  }

  /** In ascending order of these columns, nulls last. */
  public Window orderBy(String... columns) {
    return orderBy(
        Arrays.stream(columns).map(name -> Columns.col(name).ascending()).toArray(SortKey[]::new));
  }

  public Window orderBy(SortKey... keys) {
    return new Window(partition, List.of(keys), frame);
  }

  /**
   * Rows by their distance from the current one, negative before it; or one of the constants of
   * this class.
   */
  public Window rowsBetween(long start, long end) {
    return framed(WindowFrame.Unit.ROWS, Bound.of(start), Bound.of(end));
  }

  /** Rows whose one sort key differs from the current row's by this much, negative before it. */
  public Window rangeBetween(long start, long end) {
    return framed(WindowFrame.Unit.RANGE, Bound.of(start), Bound.of(end));
  }

  /**
   * Rows from {@code before} ahead of the current one's sort key to {@code after} behind it.
   *
   * @param before a value that can be taken from the sort key, such as an interval
   */
  public Window rangeAround(Object before, Object after) {
    return framed(
        WindowFrame.Unit.RANGE,
        new Bound(WindowFrame.Edge.PRECEDING, Optional.of(Column.of(before).expr())),
        new Bound(WindowFrame.Edge.FOLLOWING, Optional.of(Column.of(after).expr())));
  }

  /** Groups of peers by their distance from the current one, negative before it. */
  public Window groupsBetween(long start, long end) {
    return framed(WindowFrame.Unit.GROUPS, Bound.of(start), Bound.of(end));
  }

  /** Leaves rows out of the frame, which is given before. */
  public Window exclude(WindowFrame.Exclusion exclusion) {
    Frame known =
        frame.orElse(
            new Frame(
                WindowFrame.Unit.RANGE,
                Bound.of(UNBOUNDED_PRECEDING),
                Bound.of(order.isEmpty() ? UNBOUNDED_FOLLOWING : CURRENT_ROW),
                exclusion));
    return new Window(
        partition,
        order,
        Optional.of(new Frame(known.unit(), known.start(), known.end(), exclusion)));
  }

  private Window framed(WindowFrame.Unit unit, Bound start, Bound end) {
    return new Window(
        partition,
        order,
        Optional.of(new Frame(unit, start, end, WindowFrame.Exclusion.NO_OTHERS)));
  }
}
