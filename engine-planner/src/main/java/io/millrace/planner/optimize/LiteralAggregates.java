package io.millrace.planner.optimize;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * Before: {@code Aggregate(group, LITERAL_AGG(true))}, the mark that a group has a match; after:
 * {@code Project(group, true)} over the aggregate without it.
 */
final class LiteralAggregates extends RelHomogeneousShuttle {
  @Override
  public RelNode visit(RelNode other) {
    RelNode node = super.visit(other);
    boolean marked =
        node instanceof Aggregate aggregate
            && aggregate.getAggCallList().stream().anyMatch(LiteralAggregates::isLiteral);
    return marked ? withoutLiterals((Aggregate) node) : node;
  }

  private static boolean isLiteral(AggregateCall call) {
    return call.getAggregation().getKind() == SqlKind.LITERAL_AGG;
  }

  private static RelNode withoutLiterals(Aggregate aggregate) {
    List<AggregateCall> kept =
        aggregate.getAggCallList().stream().filter(call -> !isLiteral(call)).toList();
    RelNode plain =
        aggregate.copy(
            aggregate.getTraitSet(),
            aggregate.getInput(),
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            kept);
    RexBuilder builder = aggregate.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (int key = 0; key < aggregate.getGroupCount(); key++) {
      columns.add(builder.makeInputRef(plain, key));
    }
    int result = aggregate.getGroupCount();
    for (AggregateCall call : aggregate.getAggCallList()) {
      columns.add(
          isLiteral(call) ? call.rexList.getFirst() : builder.makeInputRef(plain, result++));
    }
    return LogicalProject.create(
        plain, List.of(), columns, aggregate.getRowType().getFieldNames(), Set.of());
  }
}
