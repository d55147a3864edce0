package io.millrace.planner.statistics;

import io.millrace.planner.logical.JoinCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexNode;

/**
 * Rows of joins. Each pair of rows meets with the probability one by the number of different keys;
 * keys of one side are taken to lie among those of the other.
 */
public final class JoinEstimate {
  /** Share of pairs that pass a condition beside the keys, for semi joins. */
  private static final double RESIDUAL_SHARE = 0.5;

  private static final double LEAST_ANTI_SHARE = 0.05;

  private JoinEstimate() {}

  /** One pair of equal keys, on either side. */
  public record Key(ColumnEstimate left, ColumnEstimate right) {}

  static Estimate of(Join join, Estimate left, Estimate right) {
    JoinCondition condition = JoinCondition.of(join);
    List<Key> keys = new ArrayList<>();
    for (JoinCondition.Key key : condition.keys()) {
      keys.add(new Key(column(key.left(), left), column(key.right(), right)));
    }
    List<ColumnEstimate> both = new ArrayList<>(left.columns());
    both.addAll(right.columns());
    boolean isKnown = left.isKnown() && right.isKnown();
    boolean residual = !condition.residual().isAlwaysTrue();
    return switch (join.getJoinType()) {
      case SEMI ->
          left.withRows(left.rows() * semiShare(keys, right) * (residual ? RESIDUAL_SHARE : 1));
      case ANTI, LEFT_MARK ->
          left.withRows(
              left.rows()
                  * Math.max(
                      LEAST_ANTI_SHARE,
                      1 - semiShare(keys, right) * (residual ? RESIDUAL_SHARE : 1)));
      case INNER, LEFT, RIGHT, FULL, ASOF, LEFT_ASOF -> {
        double rows = left.rows() * right.rows() / pairs(keys, left, right);
        if (residual) {
          rows *= new Selectivity(both).share(condition.residual());
        }
        double least = kept(join, left, right);
        yield joined(left, right, both, Math.max(rows, least), isKnown);
      }
    };
  }

  private static double kept(Join join, Estimate left, Estimate right) {
    return switch (join.getJoinType()) {
      case LEFT, ASOF, LEFT_ASOF -> left.rows();
      case RIGHT -> right.rows();
      case FULL -> Math.max(left.rows(), right.rows());
      case INNER, SEMI, ANTI, LEFT_MARK -> 0;
    };
  }

  private static Estimate joined(
      Estimate left, Estimate right, List<ColumnEstimate> both, double rows, boolean isKnown) {
    List<ColumnEstimate> columns = new ArrayList<>();
    for (int column = 0; column < both.size(); column++) {
      double before = column < left.columns().size() ? left.rows() : right.rows();
      columns.add(both.get(column).thinned(before, rows));
    }
    return new Estimate(rows, Math.max(left.storedRows(), right.storedRows()), isKnown, columns);
  }

  /**
   * Of so many pairs of rows one has equal keys; 1 without keys. Several keys are as a rule one key
   * of the smaller table, which has no more of them than rows.
   */
  public static double pairs(List<Key> keys, Estimate left, Estimate right) {
    double product = 1;
    double least = 1;
    for (Key key : keys) {
      double own = pairs(key, left.storedRows(), right.storedRows());
      product *= own;
      least = Math.max(least, own);
    }
    return keys.size() < 2
        ? Math.max(1, product)
        : Math.max(least, Math.min(product, Math.min(left.storedRows(), right.storedRows())));
  }

  private static double pairs(Key key, double leftRows, double rightRows) {
    OptionalDouble left = key.left().domain();
    OptionalDouble right = key.right().domain();
    if (left.isEmpty() && right.isEmpty()) {
      return Math.max(leftRows, rightRows);
    }
    if (left.isEmpty() || right.isEmpty()) {
      boolean tight = left.isPresent() ? key.left().isTight() : key.right().isTight();
      double one = left.isPresent() ? left.getAsDouble() : right.getAsDouble();
      double otherRows = left.isPresent() ? rightRows : leftRows;
      return tight ? one : Math.min(one, Math.max(1, otherRows));
    }
    double leftCount = left.getAsDouble();
    double rightCount = right.getAsDouble();
    if (key.left().isTight() == key.right().isTight()) {
      return key.left().isTight()
          ? Math.max(leftCount, rightCount)
          : Math.min(leftCount, rightCount);
    }
    return key.left().isTight() ? leftCount : rightCount;
  }

  /** The share of left rows that have a partner. */
  private static double semiShare(List<Key> keys, Estimate right) {
    double share = 1;
    for (Key key : keys) {
      if (key.right().distinct().isPresent()) {
        double there = key.right().distinct().getAsDouble();
        double all =
            Math.max(
                pairs(key, right.storedRows(), right.storedRows()),
                key.right().domain().orElse(there));
        share = Math.min(share, there / Math.max(1, all));
      } else if (key.left().domain().isPresent()) {
        share = Math.min(share, right.rows() / Math.max(1, key.left().domain().getAsDouble()));
      }
    }
    return Math.clamp(share, 0, 1);
  }

  private static ColumnEstimate column(RexNode key, Estimate side) {
    OptionalInt column = Selectivity.column(key);
    if (column.isPresent()) {
      return side.columns().get(column.getAsInt());
    }
    double combinations = 1;
    for (int read : RelOptUtil.InputFinder.bits(key)) {
      OptionalDouble distinct = side.columns().get(read).domain();
      if (distinct.isEmpty()) {
        return ColumnEstimate.UNKNOWN;
      }
      combinations *= distinct.getAsDouble();
    }
    return ColumnEstimate.ofDistinct(combinations);
  }
}
