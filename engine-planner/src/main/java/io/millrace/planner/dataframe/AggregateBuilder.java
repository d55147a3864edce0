package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.expr.Expr;
import io.millrace.planner.logical.AggregateOperator;
import io.millrace.planner.logical.ExpressionResolver;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.Scope;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Builds an aggregation as three nodes: a projection of keys and arguments, the aggregate, and a
 * projection of what is computed from its results.
 */
final class AggregateBuilder {
  private final RexBuilder builder;
  private final FunctionBinding binding;
  private final ExpressionResolver resolver;
  private final List<RexNode> inputs = new ArrayList<>();

  AggregateBuilder(RexBuilder builder, FunctionBinding binding, ExpressionResolver resolver) {
    this.builder = builder;
    this.binding = binding;
    this.resolver = resolver;
  }

  Relation aggregate(Relation relation, List<Expr> keys, List<Expr> outputs) {
    List<String> names = new ArrayList<>();
    for (Expr key : keys) {
      inputs.add(resolver.resolve(key));
      names.add(keyName(relation, key, names.size()));
    }
    Map<Expr.AggregateCall, Integer> calls = new LinkedHashMap<>();
    List<List<Integer>> arguments = new ArrayList<>();
    List<Integer> filters = new ArrayList<>();
    outputs.forEach(output -> findCalls(output, calls, arguments, filters));
    RelNode projected = inputs(relation);
    List<AggregateCall> aggregateCalls = aggregateCalls(projected, calls, arguments, filters);
    RelNode aggregate =
        LogicalAggregate.create(
            projected, List.of(), ImmutableBitSet.range(keys.size()), null, aggregateCalls);
    return results(aggregate, keys.size(), names, calls, outputs);
  }

  private static String keyName(Relation relation, Expr key, int position) {
    if (key instanceof Expr.ColumnReference reference && reference.qualifier().isEmpty()) {
      return relation.scope().find(Optional.empty(), reference.name()).stream()
          .mapToObj(index -> relation.scope().columns().get(index).name())
          .findFirst()
          .orElse(ExpressionResolver.outputName(key, position));
    }
    return ExpressionResolver.outputName(key, position);
  }

  /** A column for the expression among the aggregate's inputs; equal ones share it. */
  private int input(Expr expr) {
    RexNode resolved = resolver.resolve(expr);
    int known = inputs.indexOf(resolved);
    if (known >= 0) {
      return known;
    }
    inputs.add(resolved);
    return inputs.size() - 1;
  }

  private void findCalls(
      Expr expr,
      Map<Expr.AggregateCall, Integer> calls,
      List<List<Integer>> arguments,
      List<Integer> filters) {
    if (expr instanceof Expr.AggregateCall call) {
      if (calls.putIfAbsent(call, calls.size()) == null) {
        arguments.add(call.arguments().stream().map(this::input).toList());
        filters.add(call.filter().map(this::filter).orElse(-1));
      }
    } else {
      ExpressionParts.of(expr).forEach(part -> findCalls(part, calls, arguments, filters));
    }
  }

  private int filter(Expr condition) {
    FunctionBinding.requireBoolean(resolver.resolve(condition));
    return input(condition);
  }

  private RelNode inputs(Relation relation) {
    if (inputs.isEmpty()) {
      return relation.node();
    }
    List<String> names = new ArrayList<>();
    for (RexNode ignored : inputs) {
      names.add("$" + names.size());
    }
    return LogicalProject.create(relation.node(), List.of(), inputs, names, Set.of());
  }

  private List<AggregateCall> aggregateCalls(
      RelNode input,
      Map<Expr.AggregateCall, Integer> calls,
      List<List<Integer>> arguments,
      List<Integer> filters) {
    List<AggregateCall> result = new ArrayList<>();
    for (Expr.AggregateCall call : calls.keySet()) {
      int index = result.size();
      result.add(
          AggregateOperator.call(
              binding.registry(),
              (MillraceTypeFactory) builder.getTypeFactory(),
              call.function(),
              call.distinct(),
              arguments.get(index),
              filters.get(index),
              input.getRowType(),
              "$agg" + index));
    }
    return result;
  }

  private Relation results(
      RelNode aggregate,
      int keyCount,
      List<String> names,
      Map<Expr.AggregateCall, Integer> calls,
      List<Expr> outputs) {
    List<RexNode> expressions = new ArrayList<>();
    for (int key = 0; key < keyCount; key++) {
      expressions.add(builder.makeInputRef(aggregate, key));
    }
    List<String> allNames = new ArrayList<>(names);
    ExpressionResolver overResults = overResults(aggregate.getRowType(), keyCount, names);
    for (Expr output : outputs) {
      allNames.add(ExpressionResolver.outputName(output, allNames.size()));
      Expr replaced =
          ExpressionParts.replace(
              output,
              part ->
                  part instanceof Expr.AggregateCall call
                      ? Optional.of(result(calls.get(call)))
                      : Optional.empty());
      try {
        expressions.add(overResults.resolve(replaced));
      } catch (MillraceException failure) {
        throw failure.code() == ErrorCode.UNKNOWN_COLUMN ? notGrouped(failure) : failure;
      }
    }
    return new Relation(
        LogicalProject.create(aggregate, List.of(), expressions, allNames, Set.of()),
        allNames.stream().map(name -> new Relation.ColumnName(Optional.empty(), name)).toList());
  }

  private static MillraceException notGrouped(MillraceException failure) {
    return new MillraceException(
        ErrorCode.UNKNOWN_COLUMN,
        "Beside aggregates only the keys of groupBy(…) can be used. " + failure.getMessage(),
        failure);
  }

  private static Expr result(int call) {
    return new Expr.ColumnReference(Optional.empty(), resultName(call));
  }

  private static String resultName(int call) {
    return "$agg" + call;
  }

  private ExpressionResolver overResults(RelDataType rowType, int keyCount, List<String> names) {
    List<Scope.ScopeColumn> columns = new ArrayList<>();
    for (int column = 0; column < rowType.getFieldCount(); column++) {
      String name = column < keyCount ? names.get(column) : resultName(column - keyCount);
      columns.add(
          new Scope.ScopeColumn(
              Optional.empty(), name, rowType.getFieldList().get(column).getType()));
    }
    return resolver.withScope(new Scope(columns));
  }
}
