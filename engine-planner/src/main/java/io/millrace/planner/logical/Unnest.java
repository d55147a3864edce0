package io.millrace.planner.logical;

import io.millrace.core.type.DataType;
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

/**
 * One row per element of list columns that are walked side by side. The columns are the kept ones
 * of the input, then the elements, then the position; see {@code PhysicalPlan.Unnest}.
 */
public final class Unnest extends SingleRel {
  private final List<Integer> kept;
  private final List<Integer> lists;
  private final boolean ordinality;
  private final boolean outer;
  private final List<String> names;

  private Unnest(
      RelTraitSet traits,
      RelNode input,
      List<Integer> kept,
      List<Integer> lists,
      boolean ordinality,
      boolean outer,
      List<String> names) {
    super(input.getCluster(), traits, input);
    this.kept = List.copyOf(kept);
    this.lists = List.copyOf(lists);
    this.ordinality = ordinality;
    this.outer = outer;
    this.names = List.copyOf(names);
  }

  /**
   * @param kept columns of the input that stay
   * @param lists lists, maps, or int64 columns that say how often a row is repeated
   * @param ordinality whether the element's position from 1 is the last column
   * @param outer whether a row without elements stays, with nulls
   * @param names of all columns
   */
  public static Unnest of(
      RelNode input,
      List<Integer> kept,
      List<Integer> lists,
      boolean ordinality,
      boolean outer,
      List<String> names) {
    return new Unnest(
        input.getCluster().traitSetOf(Convention.NONE),
        input,
        kept,
        lists,
        ordinality,
        outer,
        names);
  }

  public List<Integer> kept() {
    return kept;
  }

  public List<Integer> lists() {
    return lists;
  }

  public boolean ordinality() {
    return ordinality;
  }

  public boolean outer() {
    return outer;
  }

  /** The types of the columns that a list column gives; none for a count. */
  static List<DataType> elementTypes(DataType list) {
    return switch (list) {
      case DataType.ListOf type -> List.of(type.element().type());
      case DataType.FixedList type -> List.of(type.element().type());
      case DataType.Embedding type -> List.of(type.element());
      case DataType.MapOf type -> List.of(type.key().type(), type.value().type());
      case DataType.Int unused -> List.of();
      default -> List.of(DataType.NULL);
    };
  }

  /** The same over another input, with other columns. */
  public Unnest over(
      RelNode newInput, List<Integer> newKept, List<Integer> newLists, List<String> newNames) {
    return new Unnest(traitSet, newInput, newKept, newLists, ordinality, outer, newNames);
  }

  @Override
  protected RelDataType deriveRowType() {
    Schema given = MillraceTypeFactory.schema(input.getRowType());
    List<Field> fields = new ArrayList<>();
    for (int column : kept) {
      fields.add(given.field(column).withName(names.get(fields.size())));
    }
    for (int column : lists) {
      for (DataType type : elementTypes(given.field(column).type())) {
        fields.add(Field.nullable(names.get(fields.size()), type));
      }
    }
    if (ordinality) {
      fields.add(Field.nullable(names.get(fields.size()), DataType.INT64));
    }
    return ((MillraceTypeFactory) getCluster().getTypeFactory()).rowType(new Schema(fields));
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new Unnest(traits, inputs.getFirst(), kept, lists, ordinality, outer, names);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("kept", kept)
        .item("lists", lists)
        .item("ordinality", ordinality)
        .item("outer", outer)
        .item("names", names);
  }
}
