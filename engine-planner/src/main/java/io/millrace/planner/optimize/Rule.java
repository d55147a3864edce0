package io.millrace.planner.optimize;

import java.util.Optional;
import org.apache.calcite.rel.RelNode;

/** One local rewrite; the result gives the same rows with the same columns. */
@FunctionalInterface
interface Rule {

  /** What replaces the node; empty when the rule does not fire. */
  Optional<RelNode> apply(RelNode node, RuleContext context);
}
