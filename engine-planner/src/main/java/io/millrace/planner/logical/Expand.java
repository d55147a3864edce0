package io.millrace.planner.logical;

import io.millrace.core.type.Schema;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.List;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;

/** Gives each input row once per projection. Grouping sets and UNPIVOT need it. */
public final class Expand extends SingleRel {
  private final List<List<RexNode>> projections;
  private final Schema schema;

  private Expand(
      RelTraitSet traits, RelNode input, List<List<RexNode>> projections, Schema schema) {
    super(input.getCluster(), traits, input);
    this.projections = projections.stream().map(List::copyOf).toList();
    this.schema = schema;
  }

  /**
   * @param projections over the input's columns, each with one expression per column of the schema
   *     and of its type
   */
  public static Expand of(RelNode input, List<List<RexNode>> projections, Schema schema) {
    return new Expand(input.getCluster().traitSetOf(Convention.NONE), input, projections, schema);
  }

  public List<List<RexNode>> projections() {
    return projections;
  }

  public Schema schema() {
    return schema;
  }

  @Override
  protected RelDataType deriveRowType() {
    return ((MillraceTypeFactory) getCluster().getTypeFactory()).rowType(schema);
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new Expand(traits, inputs.getFirst(), projections, schema);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("projections", projections).item("schema", schema);
  }
}
