package io.millrace.planner.logical;

import io.millrace.core.type.Schema;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.List;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.type.RelDataType;

/** In the step of the innermost {@link Recursion} of its name, the rows that were given last. */
public final class WorkTable extends AbstractRelNode {
  private final String name;
  private final Schema schema;

  private WorkTable(RelOptCluster cluster, RelTraitSet traits, String name, Schema schema) {
    super(cluster, traits);
    this.name = name;
    this.schema = schema;
  }

  public static WorkTable of(RelOptCluster cluster, String name, Schema schema) {
    return new WorkTable(cluster, cluster.traitSetOf(Convention.NONE), name, schema);
  }

  public String name() {
    return name;
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
    return this;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("name", name).item("schema", schema);
  }
}
