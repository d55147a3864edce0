package io.millrace.planner.sql;

import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.sql.SqlDynamicParam;
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

  /** Each use of a parameter has the type of its place. */
  @Override
  public RexDynamicParam convertDynamicParam(SqlDynamicParam parameter) {
    return rexBuilder.makeDynamicParam(
        validator.getValidatedNodeType(parameter), parameter.getIndex());
  }
}
