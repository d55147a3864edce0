package io.millrace.exec.format.parquet.read;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.InputRemapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What a scan reads of each row group: columns by their names in the files, which of them make the
 * output, and which the filter needs first.
 *
 * @param columns all columns to read, each once, in their wanted types
 * @param outputs for each output column its position among {@code columns}
 * @param filterColumns for each input of the filter its position among {@code columns}
 * @param filter over {@code filterColumns}; empty for none
 */
public record ReadPlan(
    List<Field> columns,
    List<Integer> outputs,
    Schema outputSchema,
    List<Integer> filterColumns,
    Optional<PhysicalExpression> filter) {

  /** The plan of a specification. */
  public static ReadPlan of(ScanSpecification specification) {
    List<Field> columns = new ArrayList<>();
    List<Integer> outputs = new ArrayList<>();
    for (ScanColumn column : specification.columns()) {
      outputs.add(position(columns, column.output().withName(column.sourceColumn())));
    }
    TreeSet<Integer> used = new TreeSet<>();
    specification.filters().forEach(filter -> InputRemapping.collect(filter, used));
    List<Integer> inputs = new ArrayList<>(used);
    List<Integer> filterColumns = new ArrayList<>();
    for (int input : inputs) {
      filterColumns.add(position(columns, specification.tableSchema().field(input)));
    }
    List<PhysicalExpression> filters =
        specification.filters().stream()
            .map(filter -> InputRemapping.apply(filter, inputs::indexOf))
            .toList();
    Optional<PhysicalExpression> filter =
        filters.isEmpty()
            ? Optional.empty()
            : Optional.of(
                filters.size() == 1
                    ? filters.getFirst()
                    : new PhysicalExpression.Logical(true, filters));
    return new ReadPlan(columns, outputs, specification.outputSchema(), filterColumns, filter);
  }

  private static int position(List<Field> columns, Field wanted) {
    for (int index = 0; index < columns.size(); index++) {
      DataType type = columns.get(index).type();
      if (columns.get(index).name().equals(wanted.name()) && type.equals(wanted.type())) {
        return index;
      }
    }
    columns.add(wanted);
    return columns.size() - 1;
  }

  /** The columns of the filter's input. */
  Schema filterSchema() {
    return new Schema(filterColumns.stream().map(columns::get).toList());
  }
}
