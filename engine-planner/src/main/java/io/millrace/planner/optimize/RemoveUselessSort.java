package io.millrace.planner.optimize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;

/**
 * The order below an aggregation, join or union means nothing; a sort there that drops no rows goes
 * away.
 *
 * <pre>
 * Aggregate             Aggregate
 *   Sort k        →       input
 *     input
 * </pre>
 */
final class RemoveUselessSort implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    boolean ignoresOrder =
        node instanceof Aggregate || node instanceof Join || node instanceof Union;
    if (!ignoresOrder || node.getInputs().stream().noneMatch(RemoveUselessSort::isUseless)) {
      return Optional.empty();
    }
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : node.getInputs()) {
      inputs.add(isUseless(input) ? input.getInput(0) : input);
    }
    return Optional.of(Rewriting.copy(node, inputs));
  }

  private static boolean isUseless(RelNode node) {
    return node instanceof Sort sort && sort.fetch == null && sort.offset == null;
  }
}
