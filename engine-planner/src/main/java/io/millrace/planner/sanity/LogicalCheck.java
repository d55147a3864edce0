package io.millrace.planner.sanity;

import io.millrace.core.plan.FetchColumn;
import io.millrace.core.plan.WindowCall;
import io.millrace.core.type.DataType;
import io.millrace.planner.logical.Expand;
import io.millrace.planner.logical.Fetch;
import io.millrace.planner.logical.SourceScan;
import io.millrace.planner.logical.UdfCall;
import io.millrace.planner.logical.Unnest;
import io.millrace.planner.logical.Window;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;

/** Checks a logical plan node by node. */
final class LogicalCheck {

  void check(RelNode node) {
    node.getInputs().forEach(this::check);
    for (RelDataTypeField field : node.getRowType().getFieldList()) {
      PlanFault.require(
          MillraceTypeFactory.isKnown(field.getType()),
          "column %s of %s has no Millrace type",
          field.getName(),
          node.getRelTypeName());
    }
    switch (node) {
      case SourceScan scan ->
          scan.filters().forEach(filter -> check(filter, types(scan.tableRowType()), node));
      case Filter filter -> {
        check(filter.getCondition(), types(filter.getInput()), node);
        requireBoolean(filter.getCondition());
      }
      case Project project ->
          project.getProjects().forEach(one -> check(one, types(project.getInput()), node));
      case Join join -> {
        List<RelDataType> both = new ArrayList<>(types(join.getLeft()));
        both.addAll(types(join.getRight()));
        check(join.getCondition(), both, node);
        requireBoolean(join.getCondition());
      }
      case Aggregate aggregate -> checkAggregate(aggregate);
      case Sort sort -> {
        for (RelFieldCollation key : sort.getCollation().getFieldCollations()) {
          requireColumn(key.getFieldIndex(), sort.getInput(), node);
        }
      }
      case Union union -> checkUnion(union);
      case UdfCall call -> checkUdf(call);
      case Window window -> checkWindow(window);
      case Fetch fetch -> checkFetch(fetch);
      case Expand expand ->
          expand
              .projections()
              .forEach(
                  projection ->
                      projection.forEach(one -> check(one, types(expand.getInput()), node)));
      case Unnest unnest -> {
        unnest.kept().forEach(column -> requireColumn(column, unnest.getInput(), node));
        unnest.lists().forEach(column -> requireValue(unnest.getInput(), column, node));
      }
      default -> {}
    }
  }

  private static List<RelDataType> types(RelNode node) {
    return types(node.getRowType());
  }

  private static List<RelDataType> types(RelDataType rowType) {
    return rowType.getFieldList().stream().map(RelDataTypeField::getType).toList();
  }

  private static void check(RexNode expression, List<RelDataType> columns, RelNode node) {
    expression.accept(
        new RexVisitorImpl<Void>(true) {
          @Override
          public Void visitInputRef(RexInputRef reference) {
            PlanFault.require(
                reference.getIndex() < columns.size(),
                "%s in %s is out of range",
                reference,
                node.getRelTypeName());
            DataType column = MillraceTypeFactory.dataType(columns.get(reference.getIndex()));
            PlanFault.require(
                MillraceTypeFactory.dataType(reference.getType()).equals(column),
                "%s in %s is taken as %s and is %s",
                reference,
                node.getRelTypeName(),
                reference.getType(),
                column);
            return null;
          }
        });
  }

  private static void requireBoolean(RexNode condition) {
    DataType type = MillraceTypeFactory.dataType(condition.getType());
    PlanFault.require(
        type instanceof DataType.Bool || type instanceof DataType.Null,
        "condition %s is %s",
        condition,
        type);
  }

  private static void requireColumn(int column, RelNode input, RelNode node) {
    PlanFault.require(
        column >= 0 && column < input.getRowType().getFieldCount(),
        "column %s in %s is out of range",
        column,
        node.getRelTypeName());
  }

  private static DataType type(RelNode node, int column) {
    return MillraceTypeFactory.dataType(node.getRowType().getFieldList().get(column).getType());
  }

  private static void requireValue(RelNode input, int column, RelNode node) {
    requireColumn(column, input, node);
    PlanFault.require(
        !(type(input, column) instanceof DataType.Reference),
        "%s reads column %s, which is a reference",
        node.getRelTypeName(),
        column);
  }

  private static void checkAggregate(Aggregate aggregate) {
    aggregate.getGroupSet().forEach(key -> requireValue(aggregate.getInput(), key, aggregate));
    for (AggregateCall call : aggregate.getAggCallList()) {
      call.getArgList().forEach(column -> requireValue(aggregate.getInput(), column, aggregate));
      if (call.filterArg >= 0) {
        requireColumn(call.filterArg, aggregate.getInput(), aggregate);
      }
    }
  }

  private static void checkUnion(Union union) {
    for (RelNode input : union.getInputs()) {
      int columns = input.getRowType().getFieldCount();
      PlanFault.require(
          columns == union.getRowType().getFieldCount(),
          "inputs of Union have different numbers of columns");
      for (int column = 0; column < columns; column++) {
        boolean reference = type(input, column) instanceof DataType.Reference;
        PlanFault.require(
            !reference || type(input, column).equals(type(union, column)),
            "Union mixes references of different sources in column %s",
            column);
      }
    }
  }

  private static void checkWindow(Window window) {
    window.partitionKeys().forEach(key -> requireValue(window.getInput(), key, window));
    window.orderKeys().forEach(key -> requireValue(window.getInput(), key.column(), window));
    for (WindowCall call : window.calls()) {
      call.columns().forEach(column -> requireValue(window.getInput(), column, window));
    }
  }

  private static void checkUdf(UdfCall call) {
    for (int index = 0; index < call.arguments().size(); index++) {
      int column = call.arguments().get(index);
      requireValue(call.getInput(), column, call);
      DataType wanted = call.function().argumentTypes().get(index);
      PlanFault.require(
          type(call.getInput(), column).equals(wanted),
          "argument %s of %s is %s, it takes %s",
          index,
          call.function().name(),
          type(call.getInput(), column),
          wanted);
    }
  }

  private static void checkFetch(Fetch fetch) {
    for (FetchColumn column : fetch.columns()) {
      requireColumn(column.inputIndex(), fetch.getInput(), fetch);
      PlanFault.require(
          type(fetch.getInput(), column.inputIndex()) instanceof DataType.Reference reference
              && reference.sourceId() == fetch.source().sourceId()
              && reference.column().equals(column.sourceColumn())
              && reference.target().equals(column.output().type()),
          "Fetch of source %s takes column %s, which is %s",
          fetch.source().sourceId(),
          column.inputIndex(),
          type(fetch.getInput(), column.inputIndex()));
    }
  }

  static void checkNoReferenceLeaves(RelNode plan) {
    for (int column = 0; column < plan.getRowType().getFieldCount(); column++) {
      PlanFault.require(
          !(type(plan, column) instanceof DataType.Reference),
          "a reference leaves the plan in column %s",
          column);
    }
  }
}
