package io.millrace.planner.dataframe;

import io.millrace.core.plan.JoinType;
import io.millrace.planner.logical.ExpressionResolver;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/** Builds joins of DataFrames. */
final class JoinBuilder {
  private final RexBuilder builder;
  private final FunctionBinding binding;
  private final Function<Scope, ExpressionResolver> resolvers;

  JoinBuilder(
      RexBuilder builder, FunctionBinding binding, Function<Scope, ExpressionResolver> resolvers) {
    this.builder = builder;
    this.binding = binding;
    this.resolvers = resolvers;
  }

  Relation join(Relation left, Relation right, JoinOn on, JoinType type) {
    return switch (on) {
      case JoinOn.Condition condition -> onCondition(left, right, condition, type);
      case JoinOn.Using using -> using(left, right, using.names(), type);
    };
  }

  private Relation onCondition(Relation left, Relation right, JoinOn.Condition on, JoinType type) {
    RexNode condition =
        resolvers.apply(left.scope().concat(right.scope())).condition(on.condition().expr());
    return joined(left, right, condition, type);
  }

  private Relation joined(Relation left, Relation right, RexNode condition, JoinType type) {
    RelNode node =
        LogicalJoin.create(
            left.node(), right.node(), List.of(), condition, Set.of(), relType(type));
    List<Relation.ColumnName> columns = new ArrayList<>(left.columns());
    if (keepsRight(type)) {
      columns.addAll(right.columns());
    }
    return new Relation(node, columns);
  }

  private static boolean keepsRight(JoinType type) {
    return type != JoinType.SEMI && type != JoinType.ANTI;
  }

  private static JoinRelType relType(JoinType type) {
    return switch (type) {
      case INNER -> JoinRelType.INNER;
      case LEFT -> JoinRelType.LEFT;
      case RIGHT -> JoinRelType.RIGHT;
      case FULL -> JoinRelType.FULL;
      case SEMI -> JoinRelType.SEMI;
      case ANTI -> JoinRelType.ANTI;
    };
  }

  private Relation using(Relation left, Relation right, List<String> names, JoinType type) {
    int leftColumns = left.columns().size();
    List<Integer> leftKeys = new ArrayList<>();
    List<Integer> rightKeys = new ArrayList<>();
    List<RexNode> equalities = new ArrayList<>();
    for (String name : names) {
      int leftKey = column(left, name);
      int rightKey = column(right, name);
      leftKeys.add(leftKey);
      rightKeys.add(rightKey);
      RexNode rightInput = builder.makeInputRef(right.node(), rightKey);
      equalities.add(
          binding.call(
              "eq",
              List.of(
                  builder.makeInputRef(left.node(), leftKey),
                  RexUtil.shift(rightInput, leftColumns))));
    }
    RexNode condition = RexUtil.composeConjunction(builder, equalities);
    Relation joined = joined(left, right, condition, type);
    if (!keepsRight(type)) {
      return joined;
    }
    List<RexNode> outputs = new ArrayList<>();
    List<Relation.ColumnName> columns = new ArrayList<>();
    for (int key = 0; key < leftKeys.size(); key++) {
      int leftKey = leftKeys.get(key);
      outputs.add(keyOutput(joined.node(), leftKey, leftColumns + rightKeys.get(key), type));
      columns.add(new Relation.ColumnName(Optional.empty(), joined.columns().get(leftKey).name()));
    }
    for (int column = 0; column < joined.columns().size(); column++) {
      boolean key =
          column < leftColumns
              ? leftKeys.contains(column)
              : rightKeys.contains(column - leftColumns);
      if (!key) {
        outputs.add(builder.makeInputRef(joined.node(), column));
        columns.add(joined.columns().get(column));
      }
    }
    List<String> outputNames = columns.stream().map(Relation.ColumnName::name).toList();
    return new Relation(
        LogicalProject.create(joined.node(), List.of(), outputs, outputNames, Set.of()), columns);
  }

  private static int column(Relation relation, String name) {
    return relation.scope().require(name);
  }

  /** The key of the side whose rows all come out. */
  private RexNode keyOutput(RelNode joined, int leftKey, int rightKey, JoinType type) {
    RexNode left = builder.makeInputRef(joined, leftKey);
    RexNode right = builder.makeInputRef(joined, rightKey);
    return switch (type) {
      case RIGHT -> right;
      case FULL -> binding.coalesce(List.of(left, right));
      case INNER, LEFT, SEMI, ANTI -> left;
    };
  }
}
