package io.millrace.planner.logical;

import io.millrace.core.type.Schema;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.List;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.type.RelDataType;

/**
 * WITH RECURSIVE: the rows of the left input, then those that the right input, the step, gives over
 * the rows given last, which it reads from {@link WorkTable}, until there are none.
 */
public final class Recursion extends BiRel {
  private final String name;
  private final boolean all;
  private final Schema schema;

  private Recursion(
      RelTraitSet traits, RelNode seed, RelNode step, String name, boolean all, Schema schema) {
    super(seed.getCluster(), traits, seed, step);
    this.name = name;
    this.all = all;
    this.schema = schema;
  }

  /**
   * @param name of the query, by which the step names its work table
   * @param all whether a row that was given before is given again
   * @param schema the columns of both inputs
   */
  public static Recursion of(RelNode seed, RelNode step, String name, boolean all, Schema schema) {
    return new Recursion(
        seed.getCluster().traitSetOf(Convention.NONE), seed, step, name, all, schema);
  }

  public String name() {
    return name;
  }

  public boolean all() {
    return all;
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
    return new Recursion(traits, inputs.getFirst(), inputs.getLast(), name, all, schema);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("name", name).item("all", all).item("schema", schema);
  }
}
