package io.millrace.planner.logical;

import io.millrace.core.plan.FetchColumn;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;

/** Replaces reference columns of one source by their values, in place. Keeps rows and order. */
public final class Fetch extends SingleRel {
  private final SourceReference source;
  private final List<FetchColumn> columns;

  private Fetch(
      RelTraitSet traits, RelNode input, SourceReference source, List<FetchColumn> columns) {
    super(input.getCluster(), traits, input);
    this.source = source;
    this.columns = List.copyOf(columns);
  }

  public static Fetch of(RelNode input, SourceReference source, List<FetchColumn> columns) {
    return new Fetch(input.getCluster().traitSetOf(Convention.NONE), input, source, columns);
  }

  public SourceReference source() {
    return source;
  }

  public List<FetchColumn> columns() {
    return columns;
  }

  @Override
  protected RelDataType deriveRowType() {
    List<Field> fields = new ArrayList<>(MillraceTypeFactory.schema(input.getRowType()).fields());
    columns.forEach(column -> fields.set(column.inputIndex(), column.output()));
    return ((MillraceTypeFactory) getCluster().getTypeFactory()).rowType(new Schema(fields));
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new Fetch(traits, inputs.getFirst(), source, columns);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("source", source).item("columns", columns);
  }
}
