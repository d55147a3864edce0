package io.millrace.planner.optimize;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.planner.logical.FunctionBinding;
import java.util.List;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Makes subqueries into joins, by Calcite's own rules, and removes their correlation. Queries
 * without any are given back as they are, and no rule is loaded for them.
 */
final class RemoveSubqueries {
  /** Nothing is simplified on the way: that is {@link ExpressionNormalizer}'s. */
  private static final RelBuilderFactory BUILDER =
      RelBuilder.proto(
          Contexts.of(
              RelBuilder.Config.DEFAULT
                  .withSimplify(false)
                  .withSimplifyLimit(false)
                  .withSimplifyValues(false)
                  .withPruneInputOfAggregate(false)));

  private RemoveSubqueries() {}

  /**
   * @throws MillraceException UNSUPPORTED_SQL when a correlation remains
   */
  static RelNode rewrite(RelNode query, FunctionBinding binding) {
    if (!hasSubquery(query) && !hasCorrelation(query)) {
      return query;
    }
    RelNode root = new SemiJoins(query.getCluster().getRexBuilder(), binding).rewrite(query);
    if (!hasSubquery(root) && !hasCorrelation(root)) {
      return root;
    }
    HepProgram program =
        HepProgram.builder()
            .addRuleCollection(
                // together, since each uncovers subqueries for the others
                List.of(
                    CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
                    CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
                    CoreRules.JOIN_SUB_QUERY_TO_CORRELATE))
            .build();
    HepPlanner planner = new HepPlanner(program);
    planner.setRoot(root);
    RelNode joined = planner.findBestExp().accept(new HideConstantGroupKeys());
    RelNode plain = decorrelated(joined, binding).accept(new LiteralAggregates());
    if (hasSubquery(plain) || hasCorrelation(plain)) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL,
          "This kind of correlated subquery is not supported; write it as a join.");
    }
    return plain;
  }

  /** By Calcite where it can; what it fails on or leaves over, by joins with the outer values. */
  private static RelNode decorrelated(RelNode joined, FunctionBinding binding) {
    try {
      RelNode plain =
          RelDecorrelator.decorrelateQuery(joined, BUILDER.create(joined.getCluster(), null));
      if (!hasCorrelation(plain)) {
        return plain;
      }
    } catch (RuntimeException | AssertionError notForCalcite) {
      // Its decorrelation fails in ways of its own; the general one below does not depend on it.
    }
    return new DependentJoins(joined.getCluster().getRexBuilder(), binding).rewrite(joined);
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
