package io.millrace.planner.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;

/**
 * Turns subqueries into joins. Calcite's rules do the work; nothing of them is loaded for a query
 * without subqueries.
 */
final class SubqueryRemoval {
  private SubqueryRemoval() {}

  /** An equal tree without subqueries in expressions and without correlation. */
  static RelNode remove(RelNode rel) {
    if (!hasSubquery(rel)) {
      return rel;
    }
    HepProgram program =
        new HepProgramBuilder()
            .addRuleInstance(CoreRules.FILTER_SUB_QUERY_TO_CORRELATE)
            .addRuleInstance(CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE)
            .addRuleInstance(CoreRules.JOIN_SUB_QUERY_TO_CORRELATE)
            .build();
    HepPlanner planner = new HepPlanner(program);
    planner.setRoot(rel);
    RelNode joined = planner.findBestExp();
    RelBuilder builder = RelFactories.LOGICAL_BUILDER.create(rel.getCluster(), null);
    return RelDecorrelator.decorrelateQuery(joined, builder).accept(new LiteralAggregates());
  }

  /**
   * Before: {@code Aggregate(group, LITERAL_AGG(true))}, the mark that a group has a match; after:
   * {@code Project(group, true)} over the aggregate without it.
   */
  private static final class LiteralAggregates extends RelHomogeneousShuttle {
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

  private static boolean hasSubquery(RelNode rel) {
    boolean[] found = {false};
    RexShuttle expressions =
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subQuery) {
            found[0] = true;
            return subQuery;
          }
        };
    rel.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode other) {
            other.accept(expressions);
            return super.visit(other);
          }
        });
    return found[0];
  }
}
