package io.millrace.planner.optimize;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.planner.logical.FunctionBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;

/**
 * Gives every call of a user-defined function a node of its own, so that it can run where its
 * resources are. Arguments become columns; equal calls of a deterministic function are made once. A
 * filter's other conditions are tested first. A call inside CASE is made for all rows.
 *
 * <pre>
 * Project [id, fn(a + 1)]        Project [id, f]
 *   input                   →      Udf f = fn(x)
 *                                    Project [*, x = a + 1]
 *                                      input
 * </pre>
 */
final class IsolateUdfs {
  RelNode rewrite(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(this::rewrite).toList();
    RelNode copied = inputs.isEmpty() ? node : Rewriting.copy(node, inputs);
    return switch (copied) {
      case Project project when project.getProjects().stream().anyMatch(IsolateUdfs::callsUdf) ->
          project(project);
      case Filter filter when callsUdf(filter.getCondition()) -> filter(filter);
      case Join join when callsUdf(join.getCondition()) -> join(join);
      default -> copied;
    };
  }

  private static boolean callsUdf(RexNode expression) {
    return expression instanceof RexCall call
        && (FunctionBinding.userFunction(call).isPresent()
            || call.getOperands().stream().anyMatch(IsolateUdfs::callsUdf));
  }

  private static RelNode project(Project project) {
    UdfStack stack = new UdfStack(project.getInput());
    List<RexNode> outputs =
        project.getProjects().stream().map(output -> isolated(output, stack)).toList();
    return Rewriting.project(stack.node(), outputs, project.getRowType().getFieldNames());
  }

  /** Innermost calls first. */
  private static RexNode isolated(RexNode expression, UdfStack stack) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            RexNode inner = super.visitCall(call);
            return FunctionBinding.userFunction(inner)
                .map(function -> stack.call(function, ((RexCall) inner).getOperands()))
                .orElse(inner);
          }
        });
  }

  private static RelNode filter(Filter filter) {
    SplitConjuncts split =
        SplitConjuncts.of(filter.getCondition(), conjunct -> !callsUdf(conjunct));
    UdfStack stack = new UdfStack(Rewriting.filter(filter.getInput(), split.moving()));
    List<RexNode> conditions =
        split.staying().stream().map(conjunct -> isolated(conjunct, stack)).toList();
    RelNode filtered = Rewriting.filter(stack.node(), conditions);
    int columns = filter.getRowType().getFieldCount();
    return Rewriting.columns(
        filtered,
        IntStream.range(0, columns).boxed().toList(),
        filter.getRowType().getFieldNames());
  }

  private static RelNode join(Join join) {
    if (join.getJoinType() != JoinRelType.INNER) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL,
          "A user-defined function in the condition of an outer, semi or anti join is not"
              + " supported; compute it as a column of its side first: "
              + join.getCondition());
    }
    List<RexNode> plain = new ArrayList<>();
    List<RexNode> calling = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      (callsUdf(conjunct) ? calling : plain).add(conjunct);
    }
    RelNode joined =
        LogicalJoin.create(
            join.getLeft(),
            join.getRight(),
            List.of(),
            RexUtil.composeConjunction(join.getCluster().getRexBuilder(), plain),
            java.util.Set.of(),
            JoinRelType.INNER);
    return filter((Filter) Rewriting.filter(joined, calling));
  }
}
