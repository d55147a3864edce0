package io.millrace.planner.sql;

import io.millrace.planner.logical.Unnest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql2rel.SqlToRelConverter;

/**
 * Calcite's conversion of a validated tree. Subqueries stay RexSubQueries for the planner to
 * decorrelate; nothing is simplified on the way.
 */
final class StatementConverter extends SqlToRelConverter {
  private final StatementValidator validator;

  StatementConverter(
      StatementValidator validator, StatementCatalogReader reader, RelOptCluster cluster) {
    super(
        (rowType, queryString, schemaPath, viewPath) -> {
          throw new UnsupportedOperationException("The catalog expands its views.");
        },
        validator,
        reader,
        cluster,
        new Convertlets(validator),
        config()
            .withExpand(false)
            .withTrimUnusedFields(false)
            .withInSubQueryThreshold(Integer.MAX_VALUE)
            .withRelBuilderConfigTransform(
                builder ->
                    builder
                        .withSimplify(false)
                        .withSimplifyLimit(false)
                        .withSimplifyValues(false)
                        .withPruneInputOfAggregate(false)
                        .withAggregateUnique(true)
                        .withBloat(-1)));
    this.validator = validator;
  }

  /** UNNEST becomes our own node; Calcite's knows no maps of ours and takes structs apart. */
  @Override
  protected void convertFrom(Blackboard scope, SqlNode from, List<String> fieldNames) {
    if (from != null
        && from.getKind() == SqlKind.UNNEST
        && ((SqlCall) from).getOperator() instanceof UnnestCall unnest) {
      convertUnnest(scope, (SqlCall) from, unnest.withOrdinality, fieldNames);
    } else {
      super.convertFrom(scope, from, fieldNames);
    }
  }

  private void convertUnnest(
      Blackboard scope, SqlCall call, boolean ordinality, List<String> fieldNames) {
    List<RexNode> lists = new ArrayList<>();
    List<String> listNames = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      listNames.add("list" + lists.size());
      lists.add(scope.convertExpression(operand));
    }
    RelNode rows = scope.root != null ? scope.root : LogicalValues.createOneRow(cluster);
    RelNode input = LogicalProject.create(rows, List.of(), lists, listNames, Set.of());
    List<String> names =
        fieldNames != null && !fieldNames.isEmpty()
            ? fieldNames
            : validator.getNamespace(call).getRowType().getFieldNames();
    List<Integer> places = IntStream.range(0, lists.size()).boxed().toList();
    scope.setRoot(Unnest.of(input, List.of(), places, ordinality, false, names), true);
  }

  /** Each use of a parameter has the type of its place. */
  @Override
  public RexDynamicParam convertDynamicParam(SqlDynamicParam parameter) {
    return rexBuilder.makeDynamicParam(
        validator.getValidatedNodeType(parameter), parameter.getIndex());
  }
}
