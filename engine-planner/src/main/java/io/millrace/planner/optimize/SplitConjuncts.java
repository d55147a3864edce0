package io.millrace.planner.optimize;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexNode;

/** The conjuncts of a condition, those that may move and those that stay. */
record SplitConjuncts(List<RexNode> moving, List<RexNode> staying) {

  static SplitConjuncts of(RexNode condition, Predicate<RexNode> mayMove) {
    List<RexNode> moving = new ArrayList<>();
    List<RexNode> staying = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
      (mayMove.test(conjunct) ? moving : staying).add(conjunct);
    }
    return new SplitConjuncts(moving, staying);
  }

  boolean nothingMoves() {
    return moving.isEmpty();
  }
}
