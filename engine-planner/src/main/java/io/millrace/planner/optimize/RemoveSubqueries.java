package io.millrace.planner.optimize;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql2rel.RelDecorrelator;

/**
 * Makes subqueries into joins, by Calcite's own rules, and removes their correlation. Queries
 * without any are given back as they are, and no rule is loaded for them.
 */
final class RemoveSubqueries {
  private RemoveSubqueries() {}

  /**
   * @throws MillraceException UNSUPPORTED_SQL when a correlation remains
   */
  static RelNode rewrite(RelNode root) {
    if (!hasSubquery(root) && !hasCorrelation(root)) {
      return root;
    }
    HepProgram program =
        HepProgram.builder()
            .addRuleInstance(CoreRules.FILTER_SUB_QUERY_TO_CORRELATE)
            .addRuleInstance(CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE)
            .addRuleInstance(CoreRules.JOIN_SUB_QUERY_TO_CORRELATE)
            .build();
    HepPlanner planner = new HepPlanner(program);
    planner.setRoot(root);
    RelNode joined = planner.findBestExp();
    RelNode plain =
        RelDecorrelator.decorrelateQuery(
                joined, RelFactories.LOGICAL_BUILDER.create(root.getCluster(), null))
            .accept(new LiteralAggregates());
    if (hasSubquery(plain) || hasCorrelation(plain)) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL,
          "This kind of correlated subquery is not supported; write it as a join.");
    }
    return plain;
  }

  private static boolean hasCorrelation(RelNode root) {
    boolean[] found = {false};
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, RelNode parent) {
        found[0] |= node instanceof Correlate;
        super.visit(node, ordinal, parent);
      }
    }.go(root);
    return found[0];
  }

  private static boolean hasSubquery(RelNode root) {
    boolean[] found = {false};
    RexShuttle expressions =
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery subquery) {
            found[0] = true;
            return subquery;
          }
        };
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, RelNode parent) {
        node.accept(expressions);
        super.visit(node, ordinal, parent);
      }
    }.go(root);
    return found[0];
  }
}
