package io.millrace.planner.explain;

import io.millrace.core.plan.AggregateCall;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.plan.StageGraph;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Physical plans as indented text, one line a node. */
public final class PhysicalText {
  private static final String INDENT = "  ";

  private PhysicalText() {}

  /** The plan, each line ended by a newline. */
  public static String of(PhysicalPlan plan) {
    return of(plan, node -> "");
  }

  /** The plan with text behind each node's line. */
  public static String of(PhysicalPlan plan, Function<PhysicalPlan, String> suffix) {
    StringBuilder text = new StringBuilder();
    append(plan, 0, suffix, text);
    return text.toString();
  }

  /** The stages, results last. */
  public static String of(StageGraph graph) {
    StringBuilder text = new StringBuilder();
    for (StageGraph.Stage stage : graph.stages()) {
      text.append("Stage ").append(stage.id());
      text.append(stage.singleTask() ? ", one task" : "");
      text.append(
          stage.id() == graph.resultStage().id()
              ? ", result"
              : ", output " + partitioning(stage.output()));
      text.append('\n');
      append(stage.root(), 1, node -> "", text);
    }
    return text.toString();
  }

  private static void append(
      PhysicalPlan plan, int depth, Function<PhysicalPlan, String> suffix, StringBuilder text) {
    text.append(INDENT.repeat(depth)).append(line(plan)).append(suffix.apply(plan)).append('\n');
    plan.inputs().forEach(input -> append(input, depth + 1, suffix, text));
    if (plan instanceof PhysicalPlan.Recursion recursion) {
      append(recursion.step(), depth + 1, suffix, text);
    }
  }

  /** Name and contents of one node. */
  static String line(PhysicalPlan plan) {
    return switch (plan) {
      case PhysicalPlan.Scan scan -> scan(scan);
      case PhysicalPlan.Values values -> "Values " + values.rows().size() + " rows";
      case PhysicalPlan.Filter filter -> "Filter " + filter.predicate();
      case PhysicalPlan.Project project -> "Project " + projections(project);
      case PhysicalPlan.HashJoin join -> join(join);
      case PhysicalPlan.Aggregate aggregate -> aggregate(aggregate);
      case PhysicalPlan.Sort sort -> "Sort " + keys(sort.keys());
      case PhysicalPlan.Window window ->
          WindowText.of(window.partitionKeys(), window.orderKeys(), window.calls());
      case PhysicalPlan.TopN top -> "TopN " + keys(top.keys()) + range(top.offset(), top.limit());
      case PhysicalPlan.Limit limit -> "Limit" + range(limit.offset(), limit.limit());
      case PhysicalPlan.Union union -> "Union";
      case PhysicalPlan.Udf udf ->
          "Udf "
              + udf.output().name()
              + " = "
              + udf.function().name()
              + columns(udf.arguments(), "(", ")");
      case PhysicalPlan.Fetch fetch ->
          "Fetch source "
              + fetch.source().sourceId()
              + fetch.columns().stream()
                  .map(column -> "$" + column.inputIndex() + " " + column.sourceColumn())
                  .collect(Collectors.joining(", ", " [", "]"));
      case PhysicalPlan.Recursion recursion ->
          "Recursion" + (recursion.all() ? " all" : "") + " work table " + recursion.workTable();
      case PhysicalPlan.Expand expand -> "Expand " + expand.projections();
      case PhysicalPlan.Unnest unnest ->
          "Unnest"
              + (unnest.outer() ? " outer" : "")
              + columns(unnest.lists(), " [", "]")
              + (unnest.ordinality() ? " with ordinality" : "");
      case PhysicalPlan.Sample sample ->
          "Sample "
              + sample.share()
              + (sample.blocks() ? " of blocks" : "")
              + (sample.seed().isPresent() ? " seed " + sample.seed().getAsLong() : "");
      case PhysicalPlan.Exchange exchange -> "Exchange " + partitioning(exchange.partitioning());
      case PhysicalPlan.StageInput input -> "StageInput stage " + input.stageId();
      case PhysicalPlan.Write write ->
          "Write "
              + write.sink().connector()
              + " '"
              + write.sink().uri()
              + "' "
              + write.sink().mode();
    };
  }

  private static String scan(PhysicalPlan.Scan scan) {
    var specification = scan.specification();
    String name = specification.source().connector();
    String uris =
        specification.source().uris().size() == 1
            ? " '" + specification.source().uris().getFirst() + "'"
            : " " + specification.source().uris().size() + " files";
    return "Scan "
        + name
        + uris
        + " "
        + fields(scan.outputSchema())
        + (specification.filters().isEmpty() ? "" : " filters " + specification.filters())
        + (specification.limit().isPresent() ? " limit " + specification.limit().getAsLong() : "")
        + " splits "
        + scan.splits().size();
  }

  private static String projections(PhysicalPlan.Project project) {
    StringBuilder text = new StringBuilder("[");
    for (int index = 0; index < project.expressions().size(); index++) {
      text.append(index == 0 ? "" : ", ")
          .append(project.outputSchema().field(index).name())
          .append(" = ")
          .append(project.expressions().get(index));
    }
    return text.append(']').toString();
  }

  private static String join(PhysicalPlan.HashJoin join) {
    return "HashJoin "
        + join.joinType()
        + columns(join.probeKeys(), " probe [", "]")
        + columns(join.buildKeys(), " build [", "]")
        + (join.nullSafe().contains(true) ? " null-safe " + join.nullSafe() : "")
        + join.residual().map(residual -> " residual " + residual).orElse("");
  }

  private static String aggregate(PhysicalPlan.Aggregate aggregate) {
    return "Aggregate "
        + aggregate.step()
        + columns(aggregate.groupKeys(), " by [", "]")
        + aggregate.calls().stream()
            .map(PhysicalText::call)
            .collect(Collectors.joining(", ", " [", "]"));
  }

  private static String call(AggregateCall call) {
    return call.function()
        + columns(call.arguments(), call.distinct() ? "(distinct " : "(", ")")
        + (call.filter().isPresent() ? " filter $" + call.filter().getAsInt() : "");
  }

  private static String range(long offset, long limit) {
    return (limit == Long.MAX_VALUE ? "" : " limit " + limit)
        + (offset == 0 ? "" : " offset " + offset);
  }

  static String keys(List<OrderKey> keys) {
    return keys.stream()
        .map(
            key ->
                "$"
                    + key.column()
                    + (key.descending() ? " desc" : "")
                    + (key.nullsFirst() == key.descending()
                        ? ""
                        : key.nullsFirst() ? " nulls first" : " nulls last"))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  static String partitioning(Partitioning partitioning) {
    return switch (partitioning) {
      case Partitioning.Single single ->
          single.mergeKeys().isEmpty() ? "SINGLE" : "SINGLE merge " + keys(single.mergeKeys());
      case Partitioning.Hash hash -> "HASH" + columns(hash.keys(), " [", "]");
      case Partitioning.Broadcast unused -> "BROADCAST";
      case Partitioning.RoundRobin unused -> "ROUND_ROBIN";
    };
  }

  static String columns(List<Integer> columns, String open, String close) {
    return columns.stream()
        .map(column -> "$" + column)
        .collect(Collectors.joining(", ", open, close));
  }

  private static String fields(Schema schema) {
    return schema.fields().stream()
        .map(Field::toString)
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
