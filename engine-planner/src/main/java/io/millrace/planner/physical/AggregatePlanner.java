package io.millrace.planner.physical;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.plan.AggregateCall;
import io.millrace.core.plan.AggregateStep;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.logical.OperatorNames;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.core.Aggregate;

/**
 * Plans aggregation: PARTIAL where the rows are, an exchange by the keys, FINAL; or SINGLE when
 * rows of a group are together already. DISTINCT aggregates of one argument are computed over the
 * distinct combinations of keys and argument, which are an aggregation of their own; where they are
 * mixed with others a SINGLE step sees all rows of a group.
 */
final class AggregatePlanner {
  private final NodeIds ids;
  private final FunctionRegistry registry;

  AggregatePlanner(NodeIds ids, FunctionRegistry registry) {
    this.ids = ids;
    this.registry = registry;
  }

  Placed plan(Aggregate aggregate, Placed child) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL,
          "Grouping sets, ROLLUP and CUBE are not supported; union one query per grouping");
    }
    Schema wanted = MillraceTypeFactory.schema(aggregate.getRowType());
    List<Integer> keys = aggregate.getGroupSet().asList();
    List<ResolvedFunction> functions = new ArrayList<>();
    Placed input = withArgumentCasts(aggregate, child, functions);
    List<AggregateCall> calls = calls(aggregate, functions);
    Schema output = outputSchema(wanted, keys.size(), calls);
    boolean together = keys.isEmpty() ? input.isSingle() : input.distribution().groups(keys);
    List<OrderKey> order = order(aggregate);
    boolean oneStep = !order.isEmpty() || calls.stream().anyMatch(AggregateCall::distinct);
    Placed result;
    if (order.isEmpty() && oneStep && haveOneArgument(calls)) {
      result = overDistinct(input, together, keys, calls, output);
    } else if (together || oneStep) {
      Placed grouped = together ? input : exchanged(input, keys);
      Placed placed =
          order.isEmpty()
              ? grouped
              : grouped.with(new PhysicalPlan.Sort(ids.next(), grouped.plan(), order));
      result =
          new Placed(
              new PhysicalPlan.Aggregate(
                  ids.next(), placed.plan(), AggregateStep.SINGLE, keys, calls, output),
              afterGrouping(placed.distribution(), keys));
    } else {
      result = twoSteps(input, keys, calls, output);
    }
    return withResultCasts(result, wanted);
  }

  /** Whether all calls give the same when each value of the one argument comes once. */
  private static boolean haveOneArgument(List<AggregateCall> calls) {
    AggregateCall first = calls.getFirst();
    return calls.stream()
        .allMatch(
            call ->
                (call.distinct() || ignoresDuplicates(call.function()))
                    && call.filter().isEmpty()
                    && call.arguments().equals(first.arguments()));
  }

  /** First the distinct combinations of keys and argument, then the calls over these. */
  private Placed overDistinct(
      Placed input,
      boolean together,
      List<Integer> keys,
      List<AggregateCall> calls,
      Schema output) {
    List<Integer> columns = new ArrayList<>(keys);
    calls.getFirst().arguments().stream()
        .filter(argument -> !keys.contains(argument))
        .distinct()
        .forEach(columns::add);
    Schema schema = input.plan().outputSchema().select(columns);
    List<Integer> all = IntStream.range(0, columns.size()).boxed().toList();
    List<Integer> groups = all.subList(0, keys.size());
    Placed distinct;
    if (together && !keys.isEmpty()) {
      distinct =
          new Placed(
              aggregate(input.plan(), AggregateStep.SINGLE, columns, List.of(), schema),
              afterGrouping(input.distribution(), keys));
    } else {
      Placed partial =
          input.with(aggregate(input.plan(), AggregateStep.PARTIAL, columns, List.of(), schema));
      Placed moved = exchanged(partial, keys.isEmpty() ? all : groups);
      distinct = moved.with(aggregate(moved.plan(), AggregateStep.FINAL, all, List.of(), schema));
    }
    List<AggregateCall> plain = new ArrayList<>();
    for (AggregateCall call : calls) {
      plain.add(
          new AggregateCall(
              call.function(),
              call.arguments().stream().map(columns::indexOf).toList(),
              call.argumentTypes(),
              false,
              OptionalInt.empty(),
              call.resultType()));
    }
    return keys.isEmpty()
        ? twoSteps(distinct, groups, plain, output)
        : distinct.with(aggregate(distinct.plan(), AggregateStep.SINGLE, groups, plain, output));
  }

  private PhysicalPlan.Aggregate aggregate(
      PhysicalPlan input,
      AggregateStep step,
      List<Integer> keys,
      List<AggregateCall> calls,
      Schema output) {
    return new PhysicalPlan.Aggregate(ids.next(), input, step, keys, calls, output);
  }

  /** The order in which the aggregates that read it want their rows. */
  private static List<OrderKey> order(Aggregate aggregate) {
    List<RelCollation> orders =
        aggregate.getAggCallList().stream()
            .map(org.apache.calcite.rel.core.AggregateCall::getCollation)
            .filter(order -> !order.getFieldCollations().isEmpty())
            .distinct()
            .toList();
    if (orders.size() > 1) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL,
          "Aggregates with different orders are not supported in one query; write a query for"
              + " each and join them.");
    }
    return orders.isEmpty()
        ? List.of()
        : orders.getFirst().getFieldCollations().stream().map(PhysicalPlanner::key).toList();
  }

  /** The group keys stand first in the output, in input order. */
  private static Distribution afterGrouping(Distribution input, List<Integer> keys) {
    return input instanceof Distribution.Hashed hashed
        ? new Distribution.Hashed(hashed.keys().stream().map(keys::indexOf).toList())
        : input;
  }

  private Placed exchanged(Placed input, List<Integer> keys) {
    if (keys.isEmpty()) {
      return input.isSingle()
          ? input
          : new Placed(
              new PhysicalPlan.Exchange(ids.next(), input.plan(), Partitioning.SINGLE),
              Distribution.SINGLE);
    }
    return new Placed(
        new PhysicalPlan.Exchange(ids.next(), input.plan(), new Partitioning.Hash(keys)),
        new Distribution.Hashed(keys));
  }

  private Placed twoSteps(
      Placed input, List<Integer> keys, List<AggregateCall> calls, Schema output) {
    List<Field> partialFields = new ArrayList<>(output.fields().subList(0, keys.size()));
    List<AggregateCall> finalCalls = new ArrayList<>();
    for (AggregateCall call : calls) {
      List<Integer> states = new ArrayList<>();
      String name = output.field(keys.size() + finalCalls.size()).name();
      for (DataType state : states(call)) {
        states.add(partialFields.size());
        partialFields.add(Field.nullable(name + "$" + (states.size() - 1), state));
      }
      finalCalls.add(
          new AggregateCall(
              call.function(),
              states,
              call.argumentTypes(),
              false,
              OptionalInt.empty(),
              call.resultType()));
    }
    PhysicalPlan partial =
        new PhysicalPlan.Aggregate(
            ids.next(),
            input.plan(),
            AggregateStep.PARTIAL,
            keys,
            calls,
            new Schema(partialFields));
    List<Integer> finalKeys = IntStream.range(0, keys.size()).boxed().toList();
    Placed moved = exchanged(new Placed(partial, input.distribution()), finalKeys);
    return new Placed(
        new PhysicalPlan.Aggregate(
            ids.next(), moved.plan(), AggregateStep.FINAL, finalKeys, finalCalls, output),
        moved.distribution());
  }

  private List<DataType> states(AggregateCall call) {
    return registry
        .require(call.function())
        .state()
        .map(state -> state.of(call.argumentTypes(), call.resultType()))
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.INVALID_PLAN,
                    "This function is not an aggregate: " + call.function()));
  }

  /** Casts arguments where a signature asks for it, in a projection that keeps the places. */
  private Placed withArgumentCasts(
      Aggregate aggregate, Placed child, List<ResolvedFunction> functions) {
    Schema schema = child.plan().outputSchema();
    List<PhysicalExpression> outputs = new ArrayList<>();
    for (Field field : schema.fields()) {
      outputs.add(new PhysicalExpression.Input(outputs.size(), field.type()));
    }
    List<Field> fields = new ArrayList<>(schema.fields());
    for (org.apache.calcite.rel.core.AggregateCall call : aggregate.getAggCallList()) {
      List<DataType> types =
          call.getArgList().stream().map(argument -> schema.field(argument).type()).toList();
      ResolvedFunction function =
          registry.resolve(
              OperatorNames.function(call.getAggregation()),
              types,
              types.stream().map(ignored -> Optional.empty()).toList());
      functions.add(function);
      for (int index = 0; index < types.size(); index++) {
        DataType wanted = function.argumentTypes().get(index);
        if (!wanted.equals(types.get(index))) {
          outputs.add(
              ExpressionPlanner.cast(
                  new PhysicalExpression.Input(call.getArgList().get(index), types.get(index)),
                  wanted));
          fields.add(Field.nullable("$cast" + outputs.size(), wanted));
        }
      }
    }
    return outputs.size() == schema.size()
        ? child
        : child.with(
            new PhysicalPlan.Project(ids.next(), child.plan(), outputs, new Schema(fields)));
  }

  private static List<AggregateCall> calls(Aggregate aggregate, List<ResolvedFunction> functions) {
    Schema schema = MillraceTypeFactory.schema(aggregate.getInput().getRowType());
    int nextCast = schema.size();
    List<AggregateCall> calls = new ArrayList<>();
    for (org.apache.calcite.rel.core.AggregateCall call : aggregate.getAggCallList()) {
      ResolvedFunction function = functions.get(calls.size());
      FunctionDefinition definition = function.definition();
      List<Integer> arguments = new ArrayList<>();
      for (int argument : call.getArgList()) {
        DataType wanted = function.argumentTypes().get(arguments.size());
        arguments.add(
            wanted.equals(schema.field(argument).type()) ? (Integer) argument : nextCast++);
      }
      calls.add(
          new AggregateCall(
              definition.name(),
              arguments,
              function.argumentTypes().subList(0, arguments.size()),
              call.isDistinct() && !ignoresDuplicates(definition.name()),
              call.filterArg < 0 ? OptionalInt.empty() : OptionalInt.of(call.filterArg),
              function.resultType()));
    }
    return calls;
  }

  private static boolean ignoresDuplicates(String function) {
    return function.equals("min") || function.equals("max");
  }

  private static Schema outputSchema(Schema wanted, int keyCount, List<AggregateCall> calls) {
    List<Field> fields = new ArrayList<>(wanted.fields());
    for (int index = 0; index < calls.size(); index++) {
      Field field = fields.get(keyCount + index);
      fields.set(keyCount + index, field.withType(calls.get(index).resultType()));
    }
    return new Schema(fields);
  }

  private Placed withResultCasts(Placed result, Schema wanted) {
    List<DataType> types = result.plan().outputSchema().types();
    if (types.equals(wanted.types())) {
      return result;
    }
    List<PhysicalExpression> outputs = new ArrayList<>();
    for (DataType type : types) {
      outputs.add(
          ExpressionPlanner.cast(
              new PhysicalExpression.Input(outputs.size(), type),
              wanted.field(outputs.size()).type()));
    }
    return result.with(new PhysicalPlan.Project(ids.next(), result.plan(), outputs, wanted));
  }
}
