package io.millrace.planner.optimize;

import io.millrace.core.type.Field;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.logical.UdfCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/** An input and the calls put on top of it; its columns keep their places. */
final class UdfStack {
  private record Call(UserFunction function, List<RexNode> arguments) {}

  private final Map<Call, RexNode> results = new HashMap<>();
  private RelNode node;

  UdfStack(RelNode input) {
    this.node = input;
  }

  RelNode node() {
    return node;
  }

  /** The column with the function's result, over columns of this stack. */
  RexNode call(UserFunction function, List<RexNode> arguments) {
    Call call = new Call(function, arguments);
    RexNode known = function.options().deterministic() ? results.get(call) : null;
    if (known != null) {
      return known;
    }
    List<Integer> columns = columns(arguments);
    Field output = Field.nullable(function.name(), function.resultType());
    node = UdfCall.of(node, function, columns, output);
    int last = node.getRowType().getFieldCount() - 1;
    RexNode result = node.getCluster().getRexBuilder().makeInputRef(node, last);
    results.put(call, result);
    return result;
  }

  /** Where the arguments are; those that are no columns are appended. */
  private List<Integer> columns(List<RexNode> arguments) {
    List<RexNode> all = Rewriting.allColumns(node);
    List<String> names = new ArrayList<>(node.getRowType().getFieldNames());
    List<Integer> columns = new ArrayList<>();
    for (RexNode argument : arguments) {
      if (argument instanceof RexInputRef reference) {
        columns.add(reference.getIndex());
      } else {
        int known = all.indexOf(argument);
        columns.add(known < 0 ? all.size() : known);
        if (known < 0) {
          names.add("$argument" + all.size());
          all.add(argument);
        }
      }
    }
    if (all.size() > node.getRowType().getFieldCount()) {
      node = Rewriting.project(node, all, names);
    }
    return columns;
  }
}
