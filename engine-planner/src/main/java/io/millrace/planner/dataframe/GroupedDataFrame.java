package io.millrace.planner.dataframe;

import io.millrace.core.expr.Column;
import io.millrace.core.expr.Columns;
import io.millrace.core.expr.Expr;
import java.util.Arrays;
import java.util.List;

/** Rows grouped by keys; {@link #agg} gives one row per group. */
public final class GroupedDataFrame {
  private final DataFrame input;
  private final List<Expr> keys;

  GroupedDataFrame(DataFrame input, List<Expr> keys) {
    this.input = input;
    this.keys = keys;
  }

  /**
   * The keys and then these columns. Each may be an aggregate or an expression of aggregates, such
   * as {@code sum(col("a")).dividedBy(count())}.
   */
  public DataFrame agg(Column... aggregates) {
    return input.aggregate(keys, Arrays.stream(aggregates).map(Column::expr).toList());
  }

  /** The keys and the number of rows, {@code count}. */
  public DataFrame count() {
    return agg(Columns.count().as("count"));
  }
}
