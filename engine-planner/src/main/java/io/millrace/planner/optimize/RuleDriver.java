package io.millrace.planner.optimize;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;

/** Applies rules everywhere in a tree until none fires. */
final class RuleDriver {
  /** Far above what any real query needs; reached only when two rules undo each other. */
  private static final int FIRING_LIMIT = 20_000;

  private final List<Rule> rules;
  private final RuleContext context;
  private int firings;

  RuleDriver(List<Rule> rules, RuleContext context) {
    this.rules = rules;
    this.context = context;
  }

  RelNode rewrite(RelNode root) {
    RelNode node = root;
    while (true) {
      node = atNode(node);
      RelNode rebuilt = withInputs(node);
      if (rebuilt.equals(node)) {
        return node;
      }
      node = rebuilt;
    }
  }

  /** Rules at this node until none fires. */
  private RelNode atNode(RelNode start) {
    RelNode node = start;
    boolean fired = true;
    while (fired) {
      fired = false;
      for (Rule rule : rules) {
        Optional<RelNode> result = rule.apply(node, context);
        if (result.isPresent()) {
          node = result.get();
          fired = true;
          count(rule);
        }
      }
    }
    return node;
  }

  private void count(Rule rule) {
    if (++firings > FIRING_LIMIT) {
      throw new MillraceException(
          ErrorCode.INVALID_PLAN,
          "The optimizer does not come to an end (a bug); last rule: "
              + rule.getClass().getSimpleName());
    }
  }

  private RelNode withInputs(RelNode node) {
    List<RelNode> inputs = new ArrayList<>();
    boolean changed = false;
    for (RelNode input : node.getInputs()) {
      RelNode rewritten = rewrite(input);
      changed |= !rewritten.equals(input);
      inputs.add(rewritten);
    }
    return changed ? Rewriting.copy(node, inputs) : node;
  }
}
