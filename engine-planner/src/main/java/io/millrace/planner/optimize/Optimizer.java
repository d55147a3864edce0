package io.millrace.planner.optimize;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.spi.ConstantEvaluator;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.UnnestLateral;
import io.millrace.planner.physical.ExpressionPlanner;
import io.millrace.planner.sanity.PlanChecker;
import io.millrace.planner.statistics.Estimates;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;

/**
 * Takes a logical plan through the rewrites, each checked after it: one form for equal queries,
 * calls of user-defined functions on their own, filters and limits down, join sides, columns that
 * are not read left out, heavy columns late. Used once per query.
 */
public final class Optimizer {
  /** Rules that move work down, until nothing moves. */
  private static final List<Rule> PUSHDOWN =
      List.of(
          new PruneEmpty(),
          new MergeFilters(),
          new PushFilterThroughProject(),
          new PushFilterIntoJoin(),
          new PushJoinConditionDown(),
          new PushFilterThroughAggregate(),
          new PushFilterThroughUnion(),
          new PushFilterThroughSort(),
          new PushFilterThroughUdf(),
          new PushFilterIntoScan(),
          new MergeSorts(),
          new RemoveUselessSort(),
          new PushLimitThroughProject(),
          new PushLimitThroughUdf(),
          new PushLimitThroughUnion(),
          new PushSemiJoinDown(),
          new PullCostlyAboveJoin(),
          new MergeProjects(),
          new RemoveIdentityProject());

  /** Rules for what column pruning leaves behind. */
  private static final List<Rule> CLEANUP =
      List.of(
          new MergeProjects(),
          new RemoveIdentityProject(),
          new PushLimitIntoScan(),
          new FuseDecodeResize());

  private final FunctionBinding binding;
  private final Configuration configuration;
  private final Optional<ConstantEvaluator> evaluator;

  /**
   * @param evaluator folds constants; without one calls of constants stay
   */
  public Optimizer(
      FunctionBinding binding, Configuration configuration, Optional<ConstantEvaluator> evaluator) {
    this.binding = binding;
    this.configuration = configuration;
    this.evaluator = evaluator;
  }

  /** An equal plan that is cheaper to run; its columns may have other names. */
  public RelNode optimize(RelNode logical) {
    RexBuilder builder = logical.getCluster().getRexBuilder();
    Estimates estimates = new Estimates(configuration.value(Settings.STATISTICS));
    RuleContext context =
        new RuleContext(
            builder, binding, new ExpressionPlanner(binding.registry(), builder), estimates);
    RelNode plan = RemoveSubqueries.rewrite(UnnestLateral.rewrite(logical), binding);
    plan = checked("normalize", plan, new Normalize(builder, binding, evaluator)::rewrite);
    plan = checked("isolate functions", plan, new IsolateUdfs()::rewrite);
    if (configuration.value(Settings.OPTIMIZER)) {
      plan = checked("push down", plan, new RuleDriver(PUSHDOWN, context)::rewrite);
      InferFilters inference = new InferFilters(binding, estimates);
      plan = checked("infer filters", plan, inference::rewrite);
      if (inference.hasFired()) {
        plan = checked("push down inferred", plan, new RuleDriver(PUSHDOWN, context)::rewrite);
      }
      plan = checked("join order", plan, new OrderJoins(binding, estimates)::rewrite);
      long broadcastLimitBytes = configuration.value(Settings.BROADCAST_BYTES);
      plan =
          checked("join sides", plan, new ChooseBuildSide(estimates, broadcastLimitBytes)::rewrite);
      plan = checked("prune columns", plan, new PruneColumns()::rewrite);
      plan = checked("clean up", plan, new RuleDriver(CLEANUP, context)::rewrite);
      plan = checked("defer heavy columns", plan, new DeferHeavyColumns(configuration)::rewrite);
    }
    plan = InnerNames.rewrite(plan);
    PlanChecker.checkOptimized(plan);
    return plan;
  }

  private static RelNode checked(String phase, RelNode plan, UnaryOperator<RelNode> rewrite) {
    RelNode result = rewrite.apply(plan);
    PlanChecker.checkLogical(phase, result);
    return result;
  }
}
