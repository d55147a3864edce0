package io.millrace.planner.optimize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * A limit or top-N moves below a projection, which then computes only the rows that remain; a sort
 * moves below one that makes large values, which it then need not carry. The sort's keys must be
 * columns of the projection's input.
 *
 * <pre>
 * TopN $0 limit 3              Project [a, decode(b)]
 *   Project [a, decode(b)] →     TopN a limit 3
 *     input                        input
 * </pre>
 */
final class PushLimitThroughProject implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Sort sort && sort.getInput() instanceof Project project)
        || sort.fetch == null && project.getProjects().stream().noneMatch(Rewriting::isCostly)) {
      return Optional.empty();
    }
    List<RelFieldCollation> keys = new ArrayList<>();
    for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
      RexNode expression = project.getProjects().get(key.getFieldIndex());
      if (!(expression instanceof RexInputRef reference)) {
        return Optional.empty();
      }
      keys.add(key.withFieldIndex(reference.getIndex()));
    }
    RelNode limited =
        LogicalSort.create(project.getInput(), RelCollations.of(keys), sort.offset, sort.fetch);
    return Optional.of(Rewriting.copy(project, List.of(limited)));
  }
}
