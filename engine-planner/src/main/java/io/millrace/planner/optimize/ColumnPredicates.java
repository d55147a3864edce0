package io.millrace.planner.optimize;

import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.SourceScan;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/** Comparisons with constants that hold for a column in all rows of a node. */
final class ColumnPredicates {
  private ColumnPredicates() {}

  /** Predicates over the node's columns, each on one of them. */
  static List<RexNode> of(RelNode node) {
    return switch (node) {
      case Filter filter -> {
        List<RexNode> found = new ArrayList<>(of(filter.getInput()));
        RelOptUtil.conjunctions(filter.getCondition()).stream()
            .filter(ColumnPredicates::isPlain)
            .forEach(found::add);
        yield found;
      }
      case SourceScan scan -> ofScan(scan);
      case Project project -> ofProject(project);
      case Join join -> ofJoin(join);
      case Aggregate aggregate -> ofAggregate(aggregate);
      default -> List.of();
    };
  }

  private static List<RexNode> ofScan(SourceScan scan) {
    List<RexNode> found = new ArrayList<>();
    for (RexNode filter : scan.filters()) {
      if (isPlain(filter)) {
        int tableColumn = Rewriting.columnsOf(filter).nth(0);
        for (int column = 0; column < scan.columns().size(); column++) {
          if (scan.columns().get(column).tableColumn() == tableColumn
              && !scan.isReference(column)) {
            int place = column;
            found.add(Rewriting.moved(filter, unused -> place));
          }
        }
      }
    }
    return found;
  }

  private static List<RexNode> ofProject(Project project) {
    List<RexNode> found = new ArrayList<>();
    List<RexNode> outputs = project.getProjects();
    for (RexNode predicate : of(project.getInput())) {
      int read = Rewriting.columnsOf(predicate).nth(0);
      for (int column = 0; column < outputs.size(); column++) {
        if (outputs.get(column) instanceof RexInputRef reference && reference.getIndex() == read) {
          int place = column;
          found.add(Rewriting.moved(predicate, unused -> place));
        }
      }
    }
    return found;
  }

  private static List<RexNode> ofJoin(Join join) {
    int leftColumns = join.getLeft().getRowType().getFieldCount();
    List<RexNode> found = new ArrayList<>();
    if (!join.getJoinType().generatesNullsOnLeft()) {
      found.addAll(of(join.getLeft()));
    }
    if (join.getJoinType().projectsRight() && !join.getJoinType().generatesNullsOnRight()) {
      of(join.getRight())
          .forEach(
              predicate -> found.add(Rewriting.moved(predicate, column -> column + leftColumns)));
    }
    return found;
  }

  private static List<RexNode> ofAggregate(Aggregate aggregate) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      return List.of();
    }
    List<RexNode> found = new ArrayList<>();
    for (RexNode predicate : of(aggregate.getInput())) {
      int key = aggregate.getGroupSet().indexOf(Rewriting.columnsOf(predicate).nth(0));
      if (key >= 0) {
        found.add(Rewriting.moved(predicate, unused -> key));
      }
    }
    return found;
  }

  /** Comparisons of one column with constants; equal values pass them alike and none fails. */
  private static boolean isPlain(RexNode predicate) {
    return Rewriting.columnsOf(predicate).cardinality() == 1 && isComparison(predicate);
  }

  private static boolean isComparison(RexNode node) {
    if (!(node instanceof RexCall call)) {
      return false;
    }
    return switch (call.getKind()) {
      case AND, OR -> call.getOperands().stream().allMatch(ColumnPredicates::isComparison);
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          call.getOperands().stream()
              .allMatch(operand -> operand instanceof RexInputRef || Literals.isConstant(operand));
      default -> false;
    };
  }
}
