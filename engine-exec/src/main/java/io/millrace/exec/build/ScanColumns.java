package io.millrace.exec.build;

import io.millrace.core.plan.JoinType;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the scans whose rows can be left out when a column of a plan has an unwanted value or null:
 * the column comes from there unchanged, and no row on the way depends on the rows that would be
 * missing.
 */
final class ScanColumns {
  /** A scan's output column. */
  record Origin(int scanId, int column) {}

  private final List<Origin> origins = new ArrayList<>();

  private ScanColumns() {}

  static List<Origin> of(PhysicalPlan plan, int column) {
    ScanColumns columns = new ScanColumns();
    columns.follow(plan, column);
    return columns.origins;
  }

  private void follow(PhysicalPlan plan, int column) {
    switch (plan) {
      case PhysicalPlan.Scan scan -> {
        // A limit counts rows before the join drops some.
        if (scan.specification().limit().isEmpty()) {
          origins.add(new Origin(scan.id(), column));
        }
      }
      case PhysicalPlan.Filter filter -> follow(filter.input(), column);
      case PhysicalPlan.Sort sort -> follow(sort.input(), column);
      case PhysicalPlan.Exchange exchange -> follow(exchange.input(), column);
      case PhysicalPlan.Union union -> union.inputs().forEach(input -> follow(input, column));
      case PhysicalPlan.Project project -> {
        if (project.expressions().get(column) instanceof PhysicalExpression.Input input) {
          follow(project.input(), input.index());
        }
      }
      case PhysicalPlan.Aggregate aggregate -> {
        if (column < aggregate.groupKeys().size()) {
          follow(aggregate.input(), aggregate.groupKeys().get(column));
        }
      }
      case PhysicalPlan.Fetch fetch -> {
        if (fetch.columns().stream().noneMatch(fetched -> fetched.inputIndex() == column)) {
          follow(fetch.input(), column);
        }
      }
      case PhysicalPlan.Udf udf -> {
        if (column < udf.input().outputSchema().size()) {
          follow(udf.input(), column);
        }
      }
      case PhysicalPlan.Window window -> {
        // A partition stays or goes as a whole.
        if (window.partitionKeys().contains(column)) {
          follow(window.input(), column);
        }
      }
      case PhysicalPlan.Unnest unnest -> {
        if (column < unnest.kept().size()) {
          follow(unnest.input(), unnest.kept().get(column));
        }
      }
      case PhysicalPlan.HashJoin join -> followJoin(join, column);
      case PhysicalPlan.Expand expand -> {}
      case PhysicalPlan.Sample sample -> {}
      case PhysicalPlan.Recursion recursion -> {}
      case PhysicalPlan.Values values -> {}
      case PhysicalPlan.StageInput input -> {}
      case PhysicalPlan.Limit limit -> {}
      case PhysicalPlan.TopN topN -> {}
      case PhysicalPlan.Write write -> {}
    }
  }

  /** Rows of the side that brings the column can go, and so can those of equal keys. */
  private void followJoin(PhysicalPlan.HashJoin join, int column) {
    int probeColumns = join.probe().outputSchema().size();
    boolean ofProbe = column < probeColumns;
    boolean follows =
        switch (join.joinType()) {
          case INNER -> true;
          case LEFT, SEMI, ANTI -> ofProbe;
          case RIGHT -> !ofProbe;
          case FULL -> false;
        };
    if (!follows) {
      return;
    }
    if (ofProbe) {
      follow(join.probe(), column);
    } else {
      follow(join.build(), column - probeColumns);
    }
    if (join.joinType() == JoinType.INNER || join.joinType() == JoinType.SEMI) {
      List<Integer> keys = ofProbe ? join.probeKeys() : join.buildKeys();
      int key = keys.indexOf(ofProbe ? column : column - probeColumns);
      if (key >= 0 && !join.nullSafe().get(key)) {
        if (ofProbe) {
          follow(join.build(), join.buildKeys().get(key));
        } else {
          follow(join.probe(), join.probeKeys().get(key));
        }
      }
    }
  }
}
