package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.expr.Expr;
import io.millrace.core.expr.SortKey;
import io.millrace.core.plan.JoinType;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import io.millrace.planner.logical.ExpressionResolver;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.Scope;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/** Builds the logical plan of each DataFrame call. */
final class Relations {
  private final RexBuilder builder;
  private final FunctionBinding binding;
  private final Session session;

  Relations(RexBuilder builder, FunctionBinding binding, Session session) {
    this.builder = builder;
    this.binding = binding;
    this.session = session;
  }

  RowShapes shapes() {
    return new RowShapes(builder, binding);
  }

  private ExpressionResolver resolver(Scope scope) {
    return new ExpressionResolver(builder, binding, session.userFunctions(), scope);
  }

  /** Output columns in the making. */
  private static final class Outputs {
    private final List<RexNode> expressions = new ArrayList<>();
    private final List<Relation.ColumnName> columns = new ArrayList<>();

    void add(RexNode expression, Relation.ColumnName column) {
      expressions.add(expression);
      columns.add(column);
    }

    void add(RexNode expression, String name) {
      add(expression, new Relation.ColumnName(Optional.empty(), name));
    }

    int size() {
      return columns.size();
    }

    Relation over(RelNode input) {
      List<String> names = columns.stream().map(Relation.ColumnName::name).toList();
      return new Relation(
          LogicalProject.create(input, List.of(), expressions, names, Set.of()), columns);
    }
  }

  private RexNode input(RelNode node, int column) {
    return builder.makeInputRef(node, column);
  }

  private void addColumn(Outputs outputs, Relation relation, int column) {
    outputs.add(input(relation.node(), column), relation.columns().get(column));
  }

  Relation select(Relation relation, List<Expr> exprs) {
    ExpressionResolver resolver = resolver(relation.scope());
    Outputs outputs = new Outputs();
    for (Expr expr : exprs) {
      if (expr instanceof Expr.Star) {
        for (int column = 0; column < relation.columns().size(); column++) {
          addColumn(outputs, relation, column);
        }
      } else {
        RexNode resolved = resolver.resolve(expr);
        if (resolved instanceof RexInputRef reference && !(expr instanceof Expr.Alias)) {
          addColumn(outputs, relation, reference.getIndex());
        } else {
          outputs.add(resolved, ExpressionResolver.outputName(expr, outputs.size()));
        }
      }
    }
    if (outputs.size() == 0) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "A selection has at least one column.");
    }
    return outputs.over(relation.node());
  }

  Relation filter(Relation relation, Expr condition) {
    RexNode resolved = resolver(relation.scope()).condition(condition);
    return relation.withNode(LogicalFilter.create(relation.node(), resolved));
  }

  Relation withColumns(Relation relation, Map<String, Expr> columns) {
    Scope scope = relation.scope();
    ExpressionResolver resolver = resolver(scope);
    Map<Integer, String> replaced = new LinkedHashMap<>();
    List<String> added = new ArrayList<>();
    for (String name : columns.keySet()) {
      OptionalInt place = scope.find(Optional.empty(), name);
      if (place.isPresent()) {
        replaced.put(place.getAsInt(), name);
      } else {
        added.add(name);
      }
    }
    Outputs outputs = new Outputs();
    for (int column = 0; column < scope.columns().size(); column++) {
      String name = replaced.get(column);
      if (name == null) {
        addColumn(outputs, relation, column);
      } else {
        outputs.add(resolver.resolve(columns.get(name)), name);
      }
    }
    added.forEach(name -> outputs.add(resolver.resolve(columns.get(name)), name));
    return outputs.over(relation.node());
  }

  private static int require(Relation relation, String name) {
    return relation.scope().require(name);
  }

  Relation drop(Relation relation, List<String> names) {
    Set<Integer> dropped = new TreeSet<>();
    names.forEach(name -> dropped.add(require(relation, name)));
    Outputs outputs = new Outputs();
    for (int column = 0; column < relation.columns().size(); column++) {
      if (!dropped.contains(column)) {
        addColumn(outputs, relation, column);
      }
    }
    return outputs.over(relation.node());
  }

  Relation rename(Relation relation, String name, String newName) {
    int renamed = require(relation, name);
    Outputs outputs = new Outputs();
    for (int column = 0; column < relation.columns().size(); column++) {
      if (column == renamed) {
        outputs.add(
            input(relation.node(), column),
            new Relation.ColumnName(relation.columns().get(column).qualifier(), newName));
      } else {
        addColumn(outputs, relation, column);
      }
    }
    return outputs.over(relation.node());
  }

  Relation join(Relation left, Relation right, JoinOn on, JoinType type) {
    return new JoinBuilder(builder, binding, this::resolver).join(left, right, on, type);
  }

  Relation aggregate(Relation relation, List<Expr> keys, List<Expr> aggregates) {
    return new AggregateBuilder(builder, binding, resolver(relation.scope()))
        .aggregate(relation, keys, aggregates);
  }

  Relation distinct(Relation relation) {
    int columns = relation.node().getRowType().getFieldCount();
    return relation.withNode(
        LogicalAggregate.create(
            relation.node(), List.of(), ImmutableBitSet.range(columns), null, List.of()));
  }

  Relation sort(Relation relation, List<SortKey> keys) {
    ExpressionResolver resolver = resolver(relation.scope());
    int columns = relation.node().getRowType().getFieldCount();
    List<RexNode> computed = new ArrayList<>();
    List<RelFieldCollation> collations = new ArrayList<>();
    for (SortKey key : keys) {
      RexNode resolved = resolver.resolve(key.column().expr());
      int column;
      if (resolved instanceof RexInputRef reference) {
        column = reference.getIndex();
      } else {
        column = columns + computed.size();
        computed.add(resolved);
      }
      collations.add(collation(column, key));
    }
    RelCollation collation = RelCollations.of(collations);
    if (computed.isEmpty()) {
      return relation.withNode(LogicalSort.create(relation.node(), collation, null, null));
    }
    Outputs withKeys = new Outputs();
    for (int column = 0; column < columns; column++) {
      addColumn(withKeys, relation, column);
    }
    computed.forEach(key -> withKeys.add(key, "$sort" + withKeys.size()));
    RelNode sorted =
        LogicalSort.create(withKeys.over(relation.node()).node(), collation, null, null);
    Outputs outputs = new Outputs();
    for (int column = 0; column < columns; column++) {
      outputs.add(input(sorted, column), relation.columns().get(column));
    }
    return outputs.over(sorted);
  }

  private static RelFieldCollation collation(int column, SortKey key) {
    boolean nullsFirst = key.nullsFirst().orElse(key.descending());
    return new RelFieldCollation(
        column,
        key.descending()
            ? RelFieldCollation.Direction.DESCENDING
            : RelFieldCollation.Direction.ASCENDING,
        nullsFirst ? RelFieldCollation.NullDirection.FIRST : RelFieldCollation.NullDirection.LAST);
  }

  Relation limit(Relation relation, long offset, Optional<Long> rows) {
    if (offset < 0 || rows.orElse(0L) < 0) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "A number of rows is not negative: " + rows.orElse(offset));
    }
    RexNode fetch = rows.map(count -> Literals.of(builder, count, DataType.INT64)).orElse(null);
    RexNode skipped = offset == 0 ? null : Literals.of(builder, offset, DataType.INT64);
    return relation.withNode(
        LogicalSort.create(relation.node(), RelCollations.EMPTY, skipped, fetch));
  }

  Relation union(Relation left, Relation right) {
    List<RelDataTypeField> first = left.node().getRowType().getFieldList();
    List<RelDataTypeField> second = right.node().getRowType().getFieldList();
    if (first.size() != second.size()) {
      throw new MillraceException(
          ErrorCode.SCHEMA_MISMATCH,
          "Both sides of a union have the same number of columns: "
              + first.size()
              + " and "
              + second.size());
    }
    List<DataType> common = new ArrayList<>();
    for (int column = 0; column < first.size(); column++) {
      common.add(commonType(first.get(column), second.get(column)));
    }
    return left.withNode(
        LogicalUnion.create(List.of(cast(left.node(), common), cast(right.node(), common)), true));
  }

  private static DataType commonType(RelDataTypeField left, RelDataTypeField right) {
    DataType first = MillraceTypeFactory.dataType(left.getType());
    DataType second = MillraceTypeFactory.dataType(right.getType());
    return TypeCoercion.commonType(first, second)
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "The columns of a union have a common type; cast one: "
                        + left.getName()
                        + " "
                        + first
                        + " and "
                        + right.getName()
                        + " "
                        + second));
  }

  private RelNode cast(RelNode node, List<DataType> types) {
    List<RexNode> outputs = new ArrayList<>();
    for (DataType type : types) {
      outputs.add(binding.cast(input(node, outputs.size()), type));
    }
    boolean same = outputs.stream().allMatch(RexInputRef.class::isInstance);
    return same
        ? node
        : LogicalProject.create(
            node, List.of(), outputs, node.getRowType().getFieldNames(), Set.of());
  }
}
