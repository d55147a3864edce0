package io.millrace.planner.logical;

import io.millrace.core.type.Schema;
import io.millrace.planner.rex.ValueText;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;

/** Constant rows of any type, which Calcite's own Values node cannot hold. */
public final class InlineRows extends AbstractRelNode {
  private final Schema schema;
  private final List<List<Object>> rows;

  private InlineRows(
      RelOptCluster cluster, RelTraitSet traits, Schema schema, List<List<Object>> rows) {
    super(cluster, traits);
    this.schema = schema;
    this.rows = rows;
  }

  /**
   * @param rows one list per row, one value per column, null for NULL; classes as {@code
   *     ColumnVector.valueAt} gives
   */
  public static InlineRows of(RelOptCluster cluster, Schema schema, List<List<Object>> rows) {
    List<List<Object>> copies = new ArrayList<>(rows.size());
    rows.forEach(row -> copies.add(Collections.unmodifiableList(new ArrayList<>(row))));
    return new InlineRows(
        cluster, cluster.traitSetOf(Convention.NONE), schema, Collections.unmodifiableList(copies));
  }

  /** Calcite's Values as this node. */
  public static InlineRows of(Values values) {
    Schema schema = MillraceTypeFactory.schema(values.getRowType());
    RexBuilder builder = values.getCluster().getRexBuilder();
    List<List<Object>> rows = new ArrayList<>();
    for (List<RexLiteral> tuple : values.getTuples()) {
      List<Object> row = new ArrayList<>();
      for (RexLiteral literal : tuple) {
        row.add(Literals.valueAs(builder, literal, schema.field(row.size()).type()));
      }
      rows.add(row);
    }
    return of(values.getCluster(), schema, rows);
  }

  public Schema schema() {
    return schema;
  }

  public List<List<Object>> rows() {
    return rows;
  }

  @Override
  protected RelDataType deriveRowType() {
    return ((MillraceTypeFactory) getCluster().getTypeFactory()).rowType(schema);
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return this;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("schema", schema)
        .item(
            "rows",
            rows.stream()
                .map(row -> row.stream().map(ValueText::of).toList().toString())
                .collect(Collectors.joining(", ", "[", "]")));
  }
}
