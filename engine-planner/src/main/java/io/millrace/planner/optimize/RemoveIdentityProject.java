package io.millrace.planner.optimize;

import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;

/**
 * A projection that gives its input's columns as they are goes away; the names of the result are
 * kept outside of the tree.
 *
 * <pre>
 * Project [$0, $1]    →    input
 *   input
 * </pre>
 */
final class RemoveIdentityProject implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    return node instanceof Project project && Rewriting.isIdentity(project)
        ? Optional.of(project.getInput())
        : Optional.empty();
  }
}
