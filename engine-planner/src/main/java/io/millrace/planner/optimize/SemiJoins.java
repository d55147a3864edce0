package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * EXISTS, IN and their negations in a WHERE become semi and anti joins, when the subquery refers to
 * the outer row only in its SELECT list and its own WHERE. Any comparison may connect the two;
 * Calcite's general rules would join the outer rows into the subquery first. Others are left to
 * those rules.
 *
 * <pre>
 * Filter EXISTS (Filter u.id = t.id AND u.a &lt;&gt; t.a AND u.b = 1     Join SEMI t.id = u.id AND u.a &lt;&gt; t.a
 *                  Scan u)                                       →     Scan t
 *   Scan t                                                             Filter u.b = 1
 *                                                                        Scan u
 * </pre>
 */
final class SemiJoins {
  private final FunctionBinding binding;
  private final RexBuilder builder;

  SemiJoins(RexBuilder builder, FunctionBinding binding) {
    this.builder = builder;
    this.binding = binding;
  }

  RelNode rewrite(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(this::rewrite).toList();
    RelNode copied = inputs.isEmpty() ? node : node.copy(node.getTraitSet(), inputs);
    return copied instanceof Filter filter ? filter(filter) : copied;
  }

  private RelNode filter(Filter filter) {
    RelNode input = filter.getInput();
    List<RexNode> staying = new ArrayList<>();
    boolean changed = false;
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      Optional<RelNode> joined = joined(input, conjunct, filter.getVariablesSet());
      if (joined.isPresent()) {
        input = joined.get();
        changed = true;
      } else {
        staying.add(conjunct);
      }
    }
    if (!changed) {
      return filter;
    }
    RexNode condition = RexUtil.composeConjunction(builder, staying);
    return condition.isAlwaysTrue()
        ? input
        : LogicalFilter.create(
            input,
            condition,
            com.google.common.collect.ImmutableSet.copyOf(filter.getVariablesSet()));
  }

  private Optional<RelNode> joined(RelNode left, RexNode conjunct, Set<CorrelationId> variables) {
    boolean negated = conjunct.getKind() == SqlKind.NOT;
    RexNode inner = negated ? ((RexCall) conjunct).getOperands().getFirst() : conjunct;
    if (!(inner instanceof RexSubQuery subquery)) {
      return Optional.empty();
    }
    if (subquery.getKind() == SqlKind.EXISTS) {
      return joined(left, subquery, List.of(), negated, variables);
    }
    // Without a correlation a hash table of the values answers NOT IN, nulls included: not here.
    return subquery.getKind() == SqlKind.IN && (!negated || refersTo(subquery.rel, variables))
        ? joined(left, subquery, subquery.getOperands(), negated, variables)
        : Optional.empty();
  }

  private Optional<RelNode> joined(
      RelNode left,
      RexSubQuery subquery,
      List<RexNode> values,
      boolean negated,
      Set<CorrelationId> variables) {
    RelNode right = rewrite(subquery.rel);
    while (values.isEmpty() && right instanceof Project project) {
      // Projections mean nothing to EXISTS.
      right = project.getInput();
    }
    int leftColumns = left.getRowType().getFieldCount();
    List<RexNode> condition = new ArrayList<>();
    List<RexNode> columns = Rewriting.allColumns(right);
    if (values.isEmpty() || refersTo(right, variables)) {
      if (!values.isEmpty() && right instanceof Project project) {
        columns = project.getProjects();
      }
      Split split = split(right, leftColumns, variables);
      right = split.right();
      condition.addAll(split.correlated());
    }
    List<RexNode> equal = new ArrayList<>();
    for (int index = 0; index < values.size(); index++) {
      RexNode column = overBoth(columns.get(index), leftColumns, variables);
      equal.add(binding.call("eq", List.of(values.get(index), column)));
    }
    if (!negated) {
      condition.addAll(equal);
    } else if (!equal.isEmpty()) {
      // A comparison that is null keeps the row out as one that is true does.
      condition.add(
          builder.makeCall(
              SqlStdOperatorTable.IS_NOT_FALSE, RexUtil.composeConjunction(builder, equal)));
    }
    boolean open =
        refersTo(right, variables) || condition.stream().anyMatch(SemiJoins::hasSubquery);
    if (open || condition.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        LogicalJoin.create(
            left,
            right,
            List.of(),
            RexUtil.composeConjunction(builder, condition),
            Set.of(),
            negated ? JoinRelType.ANTI : JoinRelType.SEMI));
  }

  /** A subquery without its conditions on the outer row, and those over both rows. */
  private record Split(RelNode right, List<RexNode> correlated) {}

  /** The projection at the top is the caller's; the filters below it are taken apart. */
  private Split split(RelNode subquery, int leftColumns, Set<CorrelationId> variables) {
    RelNode node = subquery instanceof Project project ? project.getInput() : subquery;
    List<RexNode> correlated = new ArrayList<>();
    List<RexNode> own = new ArrayList<>();
    while (node instanceof Filter filter) {
      for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
        if (refersTo(conjunct, variables)) {
          correlated.add(overBoth(conjunct, leftColumns, variables));
        } else {
          own.add(conjunct);
        }
      }
      node = filter.getInput();
    }
    RelNode right =
        own.isEmpty() ? node : LogicalFilter.create(node, RexUtil.composeConjunction(builder, own));
    return new Split(right, correlated);
  }

  private RexNode overBoth(RexNode conjunct, int leftColumns, Set<CorrelationId> variables) {
    RexNode shifted = RexUtil.shift(conjunct, leftColumns);
    return shifted.accept(
        new RexShuttle() {
          @Override
          public RexNode visitFieldAccess(RexFieldAccess access) {
            return access.getReferenceExpr() instanceof RexCorrelVariable variable
                    && variables.contains(variable.id)
                ? builder.makeInputRef(access.getType(), access.getField().getIndex())
                : super.visitFieldAccess(access);
          }
        });
  }

  private static boolean refersTo(RexNode expression, Set<CorrelationId> variables) {
    boolean[] found = {false};
    expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCorrelVariable(RexCorrelVariable variable) {
            found[0] |= variables.contains(variable.id);
            return variable;
          }

          @Override
          public RexNode visitSubQuery(RexSubQuery subquery) {
            found[0] |= refersTo(subquery.rel, variables);
            return super.visitSubQuery(subquery);
          }
        });
    return found[0];
  }

  private static boolean hasSubquery(RexNode expression) {
    return expression instanceof RexSubQuery
        || expression instanceof RexCall call
            && call.getOperands().stream().anyMatch(SemiJoins::hasSubquery);
  }

  private static boolean refersTo(RelNode node, Set<CorrelationId> variables) {
    return RelOptUtil.getVariablesUsed(node).stream().anyMatch(variables::contains);
  }
}
