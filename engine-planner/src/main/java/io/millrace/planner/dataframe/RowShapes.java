package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TypeCoercion;
import io.millrace.planner.logical.Expand;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.Unnest;
import io.millrace.planner.type.MillraceTypeFactory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptSamplingParameters;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sample;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/** DataFrame calls that give more or fewer rows for a row: explode, unpivot, sample. */
final class RowShapes {
  private final RexBuilder builder;
  private final FunctionBinding binding;

  RowShapes(RexBuilder builder, FunctionBinding binding) {
    this.builder = builder;
    this.binding = binding;
  }

  /** The list column becomes its element, in place; a map becomes key and value. */
  Relation explode(Relation relation, String name, boolean outer) {
    int list = relation.scope().require(name);
    RelNode input = relation.node();
    DataType type = MillraceTypeFactory.schema(input.getRowType()).field(list).type();
    List<Relation.ColumnName> elements =
        switch (type) {
          case DataType.ListOf unused -> List.of(column(name));
          case DataType.FixedList unused -> List.of(column(name));
          case DataType.Embedding unused -> List.of(column(name));
          case DataType.MapOf unused -> List.of(column("key"), column("value"));
          default ->
              throw new MillraceException(
                  ErrorCode.TYPE_MISMATCH,
                  "A list or map is exploded, this column is none: " + name + " is " + type);
        };
    List<Integer> kept =
        IntStream.range(0, relation.columns().size()).filter(one -> one != list).boxed().toList();
    List<String> names =
        IntStream.range(0, kept.size() + elements.size()).mapToObj(one -> "c" + one).toList();
    RelNode unnest = Unnest.of(input, kept, List.of(list), false, outer, names);
    List<RexNode> outputs = new ArrayList<>();
    List<Relation.ColumnName> columns = new ArrayList<>();
    for (int column = 0; column < relation.columns().size(); column++) {
      if (column == list) {
        for (int element = 0; element < elements.size(); element++) {
          outputs.add(builder.makeInputRef(unnest, kept.size() + element));
          columns.add(elements.get(element));
        }
      } else {
        outputs.add(builder.makeInputRef(unnest, kept.indexOf(column)));
        columns.add(relation.columns().get(column));
      }
    }
    return new Relation(
        LogicalProject.create(
            unnest,
            List.of(),
            outputs,
            columns.stream().map(Relation.ColumnName::name).toList(),
            Set.of()),
        columns);
  }

  private static Relation.ColumnName column(String name) {
    return new Relation.ColumnName(Optional.empty(), name);
  }

  /** One row per column of the list: the other columns, its name, its value. */
  Relation unpivot(Relation relation, List<String> columns, String nameColumn, String valueColumn) {
    List<Integer> places = columns.stream().map(relation.scope()::require).toList();
    RelNode input = relation.node();
    Schema schema = MillraceTypeFactory.schema(input.getRowType());
    List<DataType> types = places.stream().map(place -> schema.field(place).type()).toList();
    DataType common =
        TypeCoercion.commonType(types)
            .orElseThrow(
                () ->
                    new MillraceException(
                        ErrorCode.TYPE_MISMATCH,
                        "Columns that are unpivoted have a common type; cast them: " + types));
    List<Integer> kept =
        IntStream.range(0, schema.size())
            .filter(column -> !places.contains(column))
            .boxed()
            .toList();
    List<Relation.ColumnName> names = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (int column : kept) {
      names.add(relation.columns().get(column));
      fields.add(schema.field(column).withName("c" + fields.size()));
    }
    names.add(column(nameColumn));
    fields.add(Field.required("c" + fields.size(), DataType.STRING));
    names.add(column(valueColumn));
    fields.add(Field.nullable("c" + fields.size(), common));
    List<List<RexNode>> projections = new ArrayList<>();
    for (int place : places) {
      List<RexNode> outputs = new ArrayList<>();
      kept.forEach(column -> outputs.add(builder.makeInputRef(input, column)));
      String name = relation.columns().get(place).name();
      outputs.add(Literals.of(builder, name, DataType.STRING));
      outputs.add(binding.cast(builder.makeInputRef(input, place), common));
      projections.add(outputs);
    }
    return new Relation(Expand.of(input, projections, new Schema(fields)), names);
  }

  Relation sample(Relation relation, double share, OptionalLong seed) {
    if (!(share >= 0 && share <= 1)) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "The share of a sample is from 0 to 1: " + share);
    }
    RelOptSamplingParameters parameters =
        new RelOptSamplingParameters(
            true, BigDecimal.valueOf(share), seed.isPresent(), (int) seed.orElse(0));
    return relation.withNode(new Sample(relation.node().getCluster(), relation.node(), parameters));
  }
}
