package io.millrace.exec.operator.transform;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.fake.RowExpressions;
import io.millrace.exec.pipeline.OperatorHarness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The operators that change batches one by one, in the harness. */
class TransformHarnessTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.nullable("number", DataType.INT64),
          Field.nullable("text", DataType.STRING),
          Field.required("same", DataType.INT32));
  private static final PhysicalExpression NUMBER = RowExpressions.input(0, DataType.INT64);

  private static final PhysicalPlan LEAF = new PhysicalPlan.Values(0, SCHEMA, List.of());

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

  @Test
  void expandPasses() {
    Schema output =
        Schema.of(Field.nullable("a", DataType.INT64), Field.required("set", DataType.INT32));
    List<List<PhysicalExpression>> projections =
        List.of(
            List.of(NUMBER, RowExpressions.constant(0, DataType.INT32)),
            List.of(
                RowExpressions.constant(null, DataType.INT64),
                RowExpressions.constant(1, DataType.INT32)));
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : rows()) {
      expected.add(Arrays.asList(row.get(0), 0));
      expected.add(Arrays.asList(null, 1));
    }
    PhysicalPlan.Expand plan = new PhysicalPlan.Expand(1, LEAF, projections, output);
    new OperatorHarness(
            "Expand",
            SCHEMA,
            rows(),
            expected,
            false,
            (task, batches, form, batchRows) -> new ExpandOperator(plan, new RowExpressions()))
        .run();
  }

  @Test
  void unnestPasses() {
    checkUnnest(false);
  }

  @Test
  void outerUnnestPasses() {
    checkUnnest(true);
  }

  private static void checkUnnest(boolean outer) {
    Schema input =
        Schema.of(
            Field.nullable("id", DataType.INT64),
            Field.nullable("list", DataType.list(DataType.STRING)),
            Field.nullable("numbers", DataType.list(DataType.INT32)));
    List<List<Object>> rows = new ArrayList<>();
    List<List<Object>> expected = new ArrayList<>();
    for (long row = 0; row < 30; row++) {
      List<Object> texts = new ArrayList<>();
      for (int text = 0; text < row % 4; text++) {
        texts.add(text == 2 ? null : "t" + row + text);
      }
      List<Object> list = row % 7 == 0 ? null : texts;
      List<Object> numbers = row % 5 == 0 ? null : List.of(1, 2);
      rows.add(Arrays.asList(row, list, numbers));
      int count = Math.max(list == null ? 0 : list.size(), numbers == null ? 0 : 2);
      for (int place = 0; place < Math.max(count, outer ? 1 : 0); place++) {
        expected.add(
            Arrays.asList(
                row,
                list != null && place < list.size() ? list.get(place) : null,
                numbers != null && place < 2 ? numbers.get(place) : null,
                count == 0 ? null : place + 1L));
      }
    }
    Schema output =
        Schema.of(
            Field.nullable("id", DataType.INT64),
            Field.nullable("text", DataType.STRING),
            Field.nullable("number", DataType.INT32),
            Field.nullable("place", DataType.INT64));
    PhysicalPlan.Unnest plan =
        new PhysicalPlan.Unnest(1, LEAF, List.of(0), List.of(1, 2), true, outer, output);
    new OperatorHarness(
            "Unnest",
            input,
            rows,
            expected,
            true,
            (task, batches, form, batchRows) -> new UnnestOperator(plan))
        .run();
  }

  @Test
  void samplesOfAllAndNothingPass() {
    for (double share : new double[] {0, 1}) {
      PhysicalPlan leaf = new PhysicalPlan.Values(0, SCHEMA, List.of());
      PhysicalPlan.Sample plan = new PhysicalPlan.Sample(1, leaf, share, false, OptionalLong.of(3));
      new OperatorHarness(
              "Sample",
              SCHEMA,
              rows(),
              share == 0 ? List.of() : rows(),
              true,
              (task, batches, form, batchRows) -> new SampleOperator(plan))
          .run();
    }
  }
}
