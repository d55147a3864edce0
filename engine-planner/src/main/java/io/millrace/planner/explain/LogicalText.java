package io.millrace.planner.explain;

import io.millrace.planner.logical.Expand;
import io.millrace.planner.logical.Fetch;
import io.millrace.planner.logical.InlineRows;
import io.millrace.planner.logical.Recursion;
import io.millrace.planner.logical.SourceScan;
import io.millrace.planner.logical.UdfCall;
import io.millrace.planner.logical.Unnest;
import io.millrace.planner.logical.Window;
import io.millrace.planner.logical.WorkTable;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;

/** Logical plans as indented text, one line a node; columns are {@code $0}, {@code $1} … */
public final class LogicalText {
  private static final String INDENT = "  ";

  private LogicalText() {}

  /** The plan, each line ended by a newline. */
  public static String of(RelNode plan) {
    return of(plan, node -> "");
  }

  /** The plan with text behind each node's line. */
  public static String of(RelNode plan, Function<RelNode, String> suffix) {
    StringBuilder text = new StringBuilder();
    append(plan, 0, suffix, text);
    return text.toString();
  }

  private static void append(
      RelNode node, int depth, Function<RelNode, String> suffix, StringBuilder text) {
    text.append(INDENT.repeat(depth)).append(line(node)).append(suffix.apply(node)).append('\n');
    node.getInputs().forEach(input -> append(input, depth + 1, suffix, text));
  }

  private static String line(RelNode node) {
    return switch (node) {
      case SourceScan scan -> scan(scan);
      case InlineRows rows -> "Rows " + rows.rows().size() + " " + rows.schema();
      case Values values -> "Rows " + values.getTuples().size() + " " + values.getRowType();
      case Filter filter -> "Filter " + filter.getCondition();
      case Project project -> "Project " + projections(project);
      case Join join -> "Join " + join.getJoinType() + " " + join.getCondition();
      case Aggregate aggregate ->
          "Aggregate by "
              + aggregate.getGroupSet()
              + aggregate.getAggCallList().stream()
                  .map(call -> call.getName() + " = " + call)
                  .collect(Collectors.joining(", ", " [", "]"));
      case Sort sort -> sort(sort);
      case Union union -> union.all ? "Union all" : "Union distinct";
      case Window window ->
          WindowText.of(window.partitionKeys(), window.orderKeys(), window.calls());
      case UdfCall call ->
          "Udf "
              + call.output().name()
              + " = "
              + call.function().name()
              + columns(call.arguments());
      case Fetch fetch ->
          "Fetch source "
              + fetch.source().sourceId()
              + fetch.columns().stream()
                  .map(column -> "$" + column.inputIndex() + " " + column.sourceColumn())
                  .collect(Collectors.joining(", ", " [", "]"));
      case Recursion recursion ->
          "Recursion " + recursion.name() + (recursion.all() ? " all" : " distinct");
      case WorkTable table -> "WorkTable " + table.name();
      case Expand expand -> "Expand " + expand.projections();
      case Unnest unnest ->
          "Unnest "
              + (unnest.outer() ? "outer " : "")
              + columns(unnest.lists())
              + " kept "
              + columns(unnest.kept())
              + (unnest.ordinality() ? " with ordinality" : "");
      default -> node.getRelTypeName();
    };
  }

  private static String scan(SourceScan scan) {
    return "Scan "
        + scan.table().name()
        + scan.columns().stream()
            .map(column -> column.output().toString())
            .collect(Collectors.joining(", ", " [", "]"))
        + (scan.filters().isEmpty() ? "" : " filters " + scan.filters())
        + (scan.limit().isPresent() ? " limit " + scan.limit().getAsLong() : "");
  }

  private static String projections(Project project) {
    List<String> names = project.getRowType().getFieldNames();
    StringBuilder text = new StringBuilder("[");
    for (int index = 0; index < names.size(); index++) {
      text.append(index == 0 ? "" : ", ")
          .append(names.get(index))
          .append(" = ")
          .append(project.getProjects().get(index));
    }
    return text.append(']').toString();
  }

  private static String sort(Sort sort) {
    List<RelFieldCollation> keys = sort.getCollation().getFieldCollations();
    String name = keys.isEmpty() ? "Limit" : sort.fetch == null ? "Sort" : "TopN";
    String order =
        keys.stream()
            .map(
                key ->
                    "$"
                        + key.getFieldIndex()
                        + (key.direction.isDescending() ? " desc" : "")
                        + switch (key.nullDirection) {
                          case FIRST -> " nulls first";
                          case LAST -> " nulls last";
                          case UNSPECIFIED -> "";
                        })
            .collect(Collectors.joining(", ", " [", "]"));
    return name
        + (keys.isEmpty() ? "" : order)
        + (sort.fetch == null ? "" : " limit " + sort.fetch)
        + (sort.offset == null ? "" : " offset " + sort.offset);
  }

  private static String columns(List<Integer> columns) {
    return columns.stream().map(column -> "$" + column).collect(Collectors.joining(", ", "(", ")"));
  }
}
