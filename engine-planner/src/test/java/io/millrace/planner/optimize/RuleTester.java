package io.millrace.planner.optimize;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.PlanAccess;
import io.millrace.planner.explain.LogicalText;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.physical.ExpressionPlanner;
import io.millrace.planner.sanity.PlanChecker;
import io.millrace.planner.statistics.Estimates;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;

/** Applies one rule to the plan of a DataFrame. */
final class RuleTester {
  private final Rule rule;

  RuleTester(Rule rule) {
    this.rule = rule;
  }

  /** The rule gives this plan. */
  void assertFires(DataFrame before, String after) {
    RelNode plan = normalized(before);
    RelNode rewritten = rewritten(before, plan);
    assertNotEquals(LogicalText.of(plan), LogicalText.of(rewritten), "the rule did not fire");
    assertEquals(after, LogicalText.of(rewritten));
  }

  /** The rule leaves the plan as it is. */
  void assertDoesNotFire(DataFrame before) {
    RelNode plan = normalized(before);
    assertEquals(LogicalText.of(plan), LogicalText.of(rewritten(before, plan)));
  }

  /** The plan as rules get it. */
  static RelNode normalized(DataFrame frame) {
    RelNode node = PlanAccess.node(frame);
    FunctionBinding binding = PlanAccess.binding(frame.session());
    RelNode normal =
        new Normalize(node.getCluster().getRexBuilder(), binding, Optional.empty()).rewrite(node);
    return new IsolateUdfs().rewrite(normal);
  }

  private RelNode rewritten(DataFrame frame, RelNode plan) {
    RexBuilder builder = plan.getCluster().getRexBuilder();
    FunctionBinding binding = PlanAccess.binding(frame.session());
    RuleContext context =
        new RuleContext(
            builder,
            binding,
            new ExpressionPlanner(binding.registry(), builder),
            new Estimates(true));
    RelNode result = new RuleDriver(List.of(rule), context).rewrite(plan);
    PlanChecker.checkLogical(rule.getClass().getSimpleName(), result);
    return result;
  }
}
