package io.millrace.planner.optimize;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * Names columns inside of a plan after what they are, not after how SQL or DataFrame happened to
 * call them: equal queries then have equal plans, and plans are easier to read.
 */
final class InnerNames {
  private InnerNames() {}

  /** The plan; a projection at its root keeps its names. */
  static RelNode rewrite(RelNode root) {
    return root instanceof Project ? overInner(root) : inner(root);
  }

  private static RelNode overInner(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(InnerNames::inner).toList();
    return inputs.isEmpty() ? node : Rewriting.copy(node, inputs);
  }

  private static RelNode inner(RelNode node) {
    RelNode renamed = overInner(node);
    return switch (renamed) {
      case Project project ->
          Rewriting.project(project.getInput(), project.getProjects(), names(project));
      case Aggregate aggregate ->
          LogicalAggregate.create(
              aggregate.getInput(),
              List.of(),
              aggregate.getGroupSet(),
              aggregate.getGroupSets(),
              calls(aggregate));
      default -> renamed;
    };
  }

  private static List<String> names(Project project) {
    List<String> inputNames = project.getInput().getRowType().getFieldNames();
    List<String> names = new ArrayList<>();
    for (RexNode expression : project.getProjects()) {
      names.add(
          expression instanceof RexInputRef reference
              ? inputNames.get(reference.getIndex())
              : "$" + names.size());
    }
    return names;
  }

  private static List<AggregateCall> calls(Aggregate aggregate) {
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(call.withName("$" + call.getAggregation().getName() + calls.size()));
    }
    return calls;
  }
}
