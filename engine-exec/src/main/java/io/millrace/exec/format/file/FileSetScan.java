package io.millrace.exec.format.file;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.spi.Split;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.InputRemapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Opens splits of a {@link FileSetTable}. */
public final class FileSetScan {

  /** How a format opens its own splits. */
  @FunctionalInterface
  public interface InnerScan {
    BatchSource open(ScanSpecification specification, Split split);
  }

  private FileSetScan() {}

  /** The rows of a split, with a file's constants and in the table's types. */
  public static BatchSource open(
      ScanSpecification specification, Split split, ConnectorContext context, InnerScan scan) {
    if (!FileSetSplit.isOne(split)) {
      return scan.open(specification, split);
    }
    FileSetSplit own = FileSetSplit.of(split);
    Split innerSplit = new Split(own.inner(), split.bytes(), split.rows(), split.hosts());
    Set<String> constants = own.constants().keySet();
    List<PhysicalExpression> residual =
        filters(specification, constants, own.ownTypes().keySet(), true);
    ScanSpecification inner = inner(specification, constants, own.ownTypes(), residual);
    return new FileSetSource(
        specification, own, residual, inner, scan.open(inner, innerSplit), context);
  }

  /**
   * The specification as the format sees it: without columns that are constant in a file, and
   * without filters that the format's own statistics say nothing about.
   */
  static ScanSpecification prunable(
      ScanSpecification specification,
      Set<String> constants,
      Set<String> differing,
      Map<String, DataType> shadowed) {
    return without(
        specification, constants, shadowed, filters(specification, constants, differing, false));
  }

  /**
   * Filters without columns that are constant in a file.
   *
   * @param touching whether those that read a differing column are wanted, or the others
   */
  private static List<PhysicalExpression> filters(
      ScanSpecification specification,
      Set<String> constants,
      Set<String> differing,
      boolean touching) {
    List<PhysicalExpression> found = new ArrayList<>();
    for (PhysicalExpression filter : specification.filters()) {
      Set<String> names = new TreeSet<>();
      Set<Integer> used = new TreeSet<>();
      InputRemapping.collect(filter, used);
      used.forEach(position -> names.add(specification.tableSchema().field(position).name()));
      boolean ofFile = !names.isEmpty() && constants.containsAll(names);
      if (!ofFile && names.stream().anyMatch(differing::contains) == touching) {
        found.add(filter);
      }
    }
    return found;
  }

  private static ScanSpecification inner(
      ScanSpecification specification,
      Set<String> constants,
      Map<String, DataType> ownTypes,
      List<PhysicalExpression> residual) {
    ScanSpecification inner =
        without(
            specification,
            constants,
            ownTypes,
            filters(specification, constants, ownTypes.keySet(), false));
    if (residual.isEmpty()) {
      return inner;
    }
    List<ScanColumn> columns = new ArrayList<>(inner.columns());
    Set<Integer> used = new TreeSet<>();
    residual.forEach(filter -> InputRemapping.collect(filter, used));
    for (int position : used) {
      Field field = specification.tableSchema().field(position);
      columns.add(new ScanColumn(field.name(), own(field, ownTypes)));
    }
    return new ScanSpecification(
        inner.source(), inner.tableSchema(), columns, inner.filters(), OptionalLong.empty());
  }

  private static ScanSpecification without(
      ScanSpecification specification,
      Set<String> constants,
      Map<String, DataType> ownTypes,
      List<PhysicalExpression> filters) {
    Schema table = specification.tableSchema();
    List<Field> fields = new ArrayList<>();
    for (Field field : table.fields()) {
      // A column that the folders name too keeps its place among the file's.
      if (!constants.contains(field.name()) || ownTypes.containsKey(field.name())) {
        fields.add(own(field, ownTypes));
      }
    }
    Schema own = new Schema(fields);
    List<ScanColumn> columns = new ArrayList<>();
    for (ScanColumn column : specification.columns()) {
      if (!constants.contains(column.sourceColumn())) {
        Field output = column.output();
        DataType type = ownTypes.getOrDefault(column.sourceColumn(), output.type());
        columns.add(new ScanColumn(column.sourceColumn(), output.withType(type)));
      }
    }
    List<String> names = own.names();
    List<PhysicalExpression> remapped =
        filters.stream()
            .map(
                filter ->
                    InputRemapping.apply(
                        filter, position -> names.indexOf(table.field(position).name())))
            .toList();
    return new ScanSpecification(
        specification.source(), own, columns, remapped, specification.limit());
  }

  private static Field own(Field field, Map<String, DataType> ownTypes) {
    return field.withType(ownTypes.getOrDefault(field.name(), field.type()));
  }
}
