package io.millrace.planner.sanity;

import io.millrace.core.plan.AggregateCall;
import io.millrace.core.plan.AggregateStep;
import io.millrace.core.plan.FetchColumn;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.plan.WindowCall;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks a physical plan node by node. */
final class PhysicalCheck {
  private final Set<Integer> ids = new HashSet<>();

  void check(PhysicalPlan plan) {
    checkNode(plan);
    for (DataType type : plan.outputSchema().types()) {
      PlanFault.require(
          !(type instanceof DataType.Reference), "a reference leaves the plan: %s", type);
    }
  }

  private void checkNode(PhysicalPlan plan) {
    plan.inputs().forEach(this::checkNode);
    PlanFault.require(ids.add(plan.id()), "two nodes have the id %s", plan.id());
    switch (plan) {
      case PhysicalPlan.Scan scan ->
          scan.specification()
              .filters()
              .forEach(filter -> expression(filter, scan.specification().tableSchema()));
      case PhysicalPlan.Values values ->
          values
              .rows()
              .forEach(
                  row ->
                      PlanFault.require(
                          row.size() == values.outputSchema().size(),
                          "a row of Values has %s values",
                          row.size()));
      case PhysicalPlan.Filter filter -> {
        expression(filter.predicate(), filter.input().outputSchema());
        requireType(filter.predicate().type(), DataType.BOOLEAN, "a filter's predicate");
      }
      case PhysicalPlan.Project project -> checkProject(project);
      case PhysicalPlan.HashJoin join -> checkJoin(join);
      case PhysicalPlan.Aggregate aggregate -> checkAggregate(aggregate);
      case PhysicalPlan.Sort sort -> keys(sort.keys(), sort.outputSchema());
      case PhysicalPlan.Window window -> checkWindow(window);
      case PhysicalPlan.TopN top -> keys(top.keys(), top.outputSchema());
      case PhysicalPlan.Limit unused -> {}
      case PhysicalPlan.Union union ->
          union
              .inputs()
              .forEach(
                  input ->
                      PlanFault.require(
                          input.outputSchema().types().equals(union.outputSchema().types()),
                          "an input of Union gives %s, the union %s",
                          input.outputSchema(),
                          union.outputSchema()));
      case PhysicalPlan.Udf udf -> checkUdf(udf);
      case PhysicalPlan.Expand expand -> checkExpand(expand);
      case PhysicalPlan.Recursion recursion -> {
        checkNode(recursion.step());
        for (PhysicalPlan part : List.of(recursion.input(), recursion.step())) {
          PlanFault.require(
              part.outputSchema().types().equals(recursion.outputSchema().types()),
              "a part of Recursion gives %s, the whole %s",
              part.outputSchema(),
              recursion.outputSchema());
        }
      }
      case PhysicalPlan.Unnest unnest -> {
        unnest.kept().forEach(column -> column(column, unnest.input().outputSchema()));
        unnest.lists().forEach(column -> column(column, unnest.input().outputSchema()));
      }
      case PhysicalPlan.Sample sample ->
          PlanFault.require(
              sample.share() >= 0 && sample.share() <= 1, "Sample keeps %s", sample.share());
      case PhysicalPlan.Fetch fetch -> checkFetch(fetch);
      case PhysicalPlan.Exchange exchange -> checkExchange(exchange);
      case PhysicalPlan.StageInput unused -> {}
      case PhysicalPlan.Write write ->
          PlanFault.require(
              write.input().outputSchema().types().equals(write.sink().schema().types()),
              "Write gets %s, its sink expects %s",
              write.input().outputSchema(),
              write.sink().schema());
    }
  }

  private static void checkProject(PhysicalPlan.Project project) {
    PlanFault.require(
        project.expressions().size() == project.outputSchema().size(),
        "Project has another number of expressions than columns");
    for (int index = 0; index < project.expressions().size(); index++) {
      PhysicalExpression expression = project.expressions().get(index);
      expression(expression, project.input().outputSchema());
      requireType(
          expression.type(), project.outputSchema().field(index).type(), "Project's column");
    }
  }

  private static void checkJoin(PhysicalPlan.HashJoin join) {
    Schema probe = join.probe().outputSchema();
    Schema build = join.build().outputSchema();
    PlanFault.require(
        join.probeKeys().size() == join.buildKeys().size()
            && join.probeKeys().size() == join.nullSafe().size(),
        "HashJoin has unequal numbers of keys");
    for (int index = 0; index < join.probeKeys().size(); index++) {
      int probeKey = join.probeKeys().get(index);
      int buildKey = join.buildKeys().get(index);
      column(probeKey, probe);
      column(buildKey, build);
      requireType(build.field(buildKey).type(), probe.field(probeKey).type(), "HashJoin's key");
    }
    join.residual().ifPresent(residual -> expression(residual, probe.concat(build)));
    boolean probeOnly =
        switch (join.joinType()) {
          case SEMI, ANTI -> true;
          case INNER, LEFT, RIGHT, FULL -> false;
        };
    List<DataType> given = probeOnly ? probe.types() : probe.concat(build).types();
    PlanFault.require(
        given.equals(join.outputSchema().types()), "HashJoin's columns are not its inputs'");
  }

  private static void checkAggregate(PhysicalPlan.Aggregate aggregate) {
    Schema input = aggregate.input().outputSchema();
    for (int key : aggregate.groupKeys()) {
      column(key, input);
    }
    for (AggregateCall call : aggregate.calls()) {
      call.arguments().forEach(argument -> column(argument, input));
      call.filter().ifPresent(filter -> column(filter, input));
      if (aggregate.step() == AggregateStep.FINAL) {
        PlanFault.require(!call.distinct(), "a FINAL step has a DISTINCT aggregate");
      } else {
        List<DataType> types =
            call.arguments().stream().map(argument -> input.field(argument).type()).toList();
        PlanFault.require(
            types.equals(call.argumentTypes()),
            "%s takes %s and gets %s",
            call.function(),
            call.argumentTypes(),
            types);
      }
    }
  }

  private static void checkWindow(PhysicalPlan.Window window) {
    Schema input = window.input().outputSchema();
    window.partitionKeys().forEach(key -> column(key, input));
    keys(window.orderKeys(), input);
    for (WindowCall call : window.calls()) {
      call.arguments().forEach(argument -> expression(argument, input));
      call.frame().start().offset().ifPresent(offset -> expression(offset, input));
      call.frame().end().offset().ifPresent(offset -> expression(offset, input));
      call.filter().ifPresent(filter -> column(filter, input));
    }
    List<DataType> types = new ArrayList<>(input.types());
    window.calls().forEach(call -> types.add(call.resultType()));
    PlanFault.require(
        types.equals(window.outputSchema().types()),
        "Window's columns are not its input's and its calls'");
  }

  private static void checkExpand(PhysicalPlan.Expand expand) {
    for (List<PhysicalExpression> projection : expand.projections()) {
      PlanFault.require(
          projection.size() == expand.outputSchema().size(),
          "Expand has another number of expressions than columns");
      for (int index = 0; index < projection.size(); index++) {
        expression(projection.get(index), expand.input().outputSchema());
        requireType(
            projection.get(index).type(),
            expand.outputSchema().field(index).type(),
            "Expand's column");
      }
    }
  }

  private static void checkUdf(PhysicalPlan.Udf udf) {
    Schema input = udf.input().outputSchema();
    udf.arguments().forEach(argument -> column(argument, input));
    List<DataType> types =
        udf.arguments().stream().map(argument -> input.field(argument).type()).toList();
    PlanFault.require(
        types.equals(udf.function().argumentTypes()),
        "%s takes %s and gets %s",
        udf.function().name(),
        udf.function().argumentTypes(),
        types);
  }

  private static void checkFetch(PhysicalPlan.Fetch fetch) {
    Schema input = fetch.input().outputSchema();
    for (FetchColumn column : fetch.columns()) {
      column(column.inputIndex(), input);
      PlanFault.require(
          input.field(column.inputIndex()).type() instanceof DataType.Reference reference
              && reference.sourceId() == fetch.source().sourceId(),
          "Fetch takes column %s, which is no reference to its source",
          column.inputIndex());
    }
  }

  private static void checkExchange(PhysicalPlan.Exchange exchange) {
    switch (exchange.partitioning()) {
      case Partitioning.Single single -> keys(single.mergeKeys(), exchange.outputSchema());
      case Partitioning.Hash hash ->
          hash.keys().forEach(key -> column(key, exchange.outputSchema()));
      case Partitioning.Broadcast unused -> {}
      case Partitioning.RoundRobin unused -> {}
    }
  }

  private static void keys(List<OrderKey> keys, Schema schema) {
    keys.forEach(key -> column(key.column(), schema));
  }

  private static void column(int index, Schema schema) {
    PlanFault.require(
        index >= 0 && index < schema.size(), "column %s is out of range of %s", index, schema);
  }

  private static void requireType(DataType given, DataType wanted, String what) {
    PlanFault.require(given.equals(wanted), "%s is %s and not %s", what, given, wanted);
  }

  private static void expression(PhysicalExpression expression, Schema schema) {
    switch (expression) {
      case PhysicalExpression.Input input -> {
        column(input.index(), schema);
        requireType(input.type(), schema.field(input.index()).type(), "$" + input.index());
      }
      case PhysicalExpression.Constant unused -> {}
      case PhysicalExpression.Call call ->
          call.arguments().forEach(argument -> expression(argument, schema));
      case PhysicalExpression.Cast cast -> expression(cast.input(), schema);
      case PhysicalExpression.Logical logical ->
          logical
              .arguments()
              .forEach(
                  argument -> {
                    expression(argument, schema);
                    requireType(argument.type(), DataType.BOOLEAN, "an argument of AND or OR");
                  });
      case PhysicalExpression.CaseWhen caseWhen -> {
        for (PhysicalExpression.Branch branch : caseWhen.branches()) {
          expression(branch.condition(), schema);
          expression(branch.value(), schema);
          requireType(branch.value().type(), caseWhen.type(), "a branch of CASE");
        }
        caseWhen.otherwise().ifPresent(otherwise -> expression(otherwise, schema));
      }
      case PhysicalExpression.Coalesce coalesce ->
          coalesce.arguments().forEach(argument -> expression(argument, schema));
      case PhysicalExpression.InSet set -> expression(set.value(), schema);
      case PhysicalExpression.FieldAccess access -> expression(access.input(), schema);
    }
  }
}
