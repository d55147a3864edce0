package io.millrace.planner.optimize;

import io.millrace.core.type.DataType;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.Literals;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * AND and OR by Kleene's rules: flat, without duplicates and without arguments that decide nothing.
 */
final class LogicalSimplifier {
  private final RexBuilder builder;
  private final FunctionBinding binding;

  LogicalSimplifier(RexBuilder builder, FunctionBinding binding) {
    this.builder = builder;
    this.binding = binding;
  }

  RexNode and(List<RexNode> operands) {
    Set<RexNode> kept = new LinkedHashSet<>();
    for (RexNode operand : RexUtil.flattenAnd(operands)) {
      if (operand.isAlwaysFalse()) {
        return builder.makeLiteral(false);
      }
      if (!operand.isAlwaysTrue()) {
        kept.add(operand);
      }
    }
    return combined(kept, true);
  }

  RexNode or(List<RexNode> operands) {
    Set<RexNode> kept = new LinkedHashSet<>();
    for (RexNode operand : RexUtil.flattenOr(operands)) {
      if (operand.isAlwaysTrue()) {
        return builder.makeLiteral(true);
      }
      if (!operand.isAlwaysFalse()) {
        kept.add(operand);
      }
    }
    List<RexNode> common = commonConjuncts(kept);
    if (common.isEmpty()) {
      return combined(kept, false);
    }
    List<RexNode> rest = new ArrayList<>();
    for (RexNode operand : kept) {
      List<RexNode> others = new ArrayList<>(RelOptUtil.conjunctions(operand));
      others.removeAll(common);
      rest.add(and(others));
    }
    List<RexNode> all = new ArrayList<>(common);
    all.add(or(rest));
    return and(all);
  }

  /** {@code (a AND b) OR (a AND c)} has {@code a} in common, which can then be pushed down. */
  private static List<RexNode> commonConjuncts(Set<RexNode> operands) {
    if (operands.size() < 2) {
      return List.of();
    }
    List<RexNode> common = null;
    for (RexNode operand : operands) {
      List<RexNode> conjuncts = RelOptUtil.conjunctions(operand);
      if (common == null) {
        common = new ArrayList<>(conjuncts);
      } else {
        common.retainAll(conjuncts);
      }
    }
    return common;
  }

  private RexNode combined(Set<RexNode> operands, boolean conjunction) {
    if (operands.isEmpty()) {
      return builder.makeLiteral(conjunction);
    }
    if (operands.size() == 1) {
      RexNode only = operands.iterator().next();
      return Literals.isNull(only) ? Literals.of(builder, null, DataType.BOOLEAN) : only;
    }
    return binding.logical(
        conjunction ? SqlStdOperatorTable.AND : SqlStdOperatorTable.OR, List.copyOf(operands));
  }
}
