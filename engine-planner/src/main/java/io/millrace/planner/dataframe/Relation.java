package io.millrace.planner.dataframe;

import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.logical.Scope;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataTypeField;

/**
 * A logical plan with the name and alias that each of its columns answers to. Names may repeat;
 * Calcite gives its own, different ones to the node's columns.
 */
record Relation(RelNode node, List<ColumnName> columns) {
  Relation {
    columns = List.copyOf(columns);
  }

  /** How a column can be named. */
  record ColumnName(Optional<String> qualifier, String name) {}

  static Relation of(RelNode node) {
    return new Relation(
        node,
        node.getRowType().getFieldNames().stream()
            .map(name -> new ColumnName(Optional.empty(), name))
            .toList());
  }

  Relation withAlias(String alias) {
    return new Relation(
        node,
        columns.stream().map(column -> new ColumnName(Optional.of(alias), column.name())).toList());
  }

  /** The same columns from another node. */
  Relation withNode(RelNode newNode) {
    return new Relation(newNode, columns);
  }

  List<String> names() {
    return columns.stream().map(ColumnName::name).toList();
  }

  /** Names and types of the columns. */
  Schema schema() {
    List<Field> fields = new ArrayList<>();
    for (Field field : MillraceTypeFactory.schema(node.getRowType()).fields()) {
      fields.add(field.withName(columns.get(fields.size()).name()));
    }
    return new Schema(fields);
  }

  Scope scope() {
    List<Scope.ScopeColumn> result = new ArrayList<>();
    for (RelDataTypeField field : node.getRowType().getFieldList()) {
      ColumnName column = columns.get(result.size());
      result.add(new Scope.ScopeColumn(column.qualifier(), column.name(), field.getType()));
    }
    return new Scope(result);
  }
}
