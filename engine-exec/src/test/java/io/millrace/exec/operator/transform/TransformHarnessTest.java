package io.millrace.exec.operator.transform;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.fake.RowExpressions;
import io.millrace.exec.pipeline.OperatorHarness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Filter, project and limit in the harness. */
class TransformHarnessTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.nullable("number", DataType.INT64),
          Field.nullable("text", DataType.STRING),
          Field.required("same", DataType.INT32));
  private static final PhysicalExpression NUMBER = RowExpressions.input(0, DataType.INT64);

  private static List<List<Object>> rows() {
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < 40; row++) {
      rows.add(Arrays.asList(row % 5 == 0 ? null : row % 11, row % 3 == 0 ? null : "t" + row, 7));
    }
    return rows;
  }

  @Test
  void filterPasses() {
    PhysicalExpression predicate =
        RowExpressions.call(
            "less", DataType.BOOLEAN, NUMBER, RowExpressions.constant(6L, DataType.INT64));
    List<List<Object>> expected =
        rows().stream().filter(row -> row.get(0) != null && (long) row.get(0) < 6).toList();
    new OperatorHarness(
            "Filter",
            SCHEMA,
            rows(),
            expected,
            true,
            (task, batches, form, batchRows) ->
                new FilterOperator(SCHEMA, predicate, new RowExpressions()))
        .run();
  }

  @Test
  void projectPasses() {
    Schema output =
        Schema.of(
            Field.nullable("sum", DataType.INT64),
            Field.nullable("text", DataType.STRING),
            Field.nullable("again", DataType.STRING));
    List<PhysicalExpression> expressions =
        List.of(
            RowExpressions.call("plus", DataType.INT64, NUMBER, NUMBER),
            RowExpressions.input(1, DataType.STRING),
            RowExpressions.input(1, DataType.STRING));
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : rows()) {
      Object sum = RowExpressions.apply("plus", row.get(0), row.get(0));
      expected.add(Arrays.asList(sum, row.get(1), row.get(1)));
    }
    new OperatorHarness(
            "Project",
            SCHEMA,
            rows(),
            expected,
            true,
            (task, batches, form, batchRows) ->
                new ProjectOperator(output, expressions, new RowExpressions()))
        .run();
  }

  @Test
  void limitPasses() {
    new OperatorHarness(
            "Limit",
            SCHEMA,
            rows(),
            rows().subList(5, 26),
            true,
            (task, batches, form, batchRows) -> new LimitOperator(SCHEMA, 5, 21))
        .run();
  }
}
