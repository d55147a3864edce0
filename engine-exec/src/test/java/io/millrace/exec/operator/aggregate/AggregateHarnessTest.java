package io.millrace.exec.operator.aggregate;

import io.millrace.core.plan.AggregateCall;
import io.millrace.core.plan.AggregateStep;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.fake.RowAggregates;
import io.millrace.exec.pipeline.OperatorHarness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Aggregation in the harness: keys of several types, distinct, filter, the global group. */
class AggregateHarnessTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.nullable("text", DataType.STRING),
          Field.nullable("number", DataType.FLOAT64),
          Field.nullable("value", DataType.INT64),
          Field.nullable("wanted", DataType.BOOLEAN),
          Field.nullable("list", DataType.list(DataType.INT32)));
  private static final AggregateKernels KERNELS =
      new AggregateKernels(List.of(new RowAggregates()));

  private static final AggregateCall COUNT =
      new AggregateCall("count", List.of(), List.of(), false, OptionalInt.empty(), DataType.INT64);
  private static final AggregateCall SUM = sum(false, OptionalInt.empty());
  private static final AggregateCall SUM_DISTINCT = sum(true, OptionalInt.empty());
  private static final AggregateCall SUM_WANTED = sum(false, OptionalInt.of(3));
  private static final AggregateCall SUM_DISTINCT_WANTED = sum(true, OptionalInt.of(3));

  private static AggregateCall sum(boolean distinct, OptionalInt filter) {
    return new AggregateCall(
        "sum", List.of(2), List.of(DataType.INT64), distinct, filter, DataType.INT64);
  }

  private static List<List<Object>> rows() {
    Random random = new Random(5);
    List<Object> texts = Arrays.asList("a", "b", "", "a longer key than sixteen bytes", null);
    List<Object> numbers = Arrays.asList(0.0, -0.0, Double.NaN, 2.5, null);
    List<Object> lists = Arrays.asList(List.of(1, 2), List.of(), Arrays.asList(1, null), null);
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < 80; row++) {
      rows.add(
          Arrays.asList(
              texts.get(random.nextInt(texts.size())),
              numbers.get(random.nextInt(numbers.size())),
              random.nextInt(6) == 0 ? null : (Object) random.nextLong(9),
              random.nextInt(4) == 0 ? null : (Object) random.nextBoolean(),
              lists.get(random.nextInt(lists.size()))));
    }
    return rows;
  }

  private static Object canonical(Object key) {
    return key instanceof Double number ? (Object) (number + 0.0) : key;
  }

  /** Groups by plain Java. */
  private static List<List<Object>> reference(
      List<List<Object>> rows, List<Integer> keys, List<AggregateCall> calls) {
    Map<List<Object>, List<List<Object>>> groups = new LinkedHashMap<>();
    if (keys.isEmpty()) {
      groups.put(List.of(), new ArrayList<>());
    }
    for (List<Object> row : rows) {
      List<Object> key = new ArrayList<>();
      keys.forEach(column -> key.add(canonical(row.get(column))));
      groups.computeIfAbsent(key, ignored -> new ArrayList<>()).add(row);
    }
    List<List<Object>> results = new ArrayList<>();
    groups.forEach(
        (key, members) -> {
          List<Object> result = new ArrayList<>(key);
          calls.forEach(call -> result.add(reference(members, call)));
          results.add(result);
        });
    return results;
  }

  private static Object reference(List<List<Object>> members, AggregateCall call) {
    Set<Object> seen = new HashSet<>();
    Long total = call.function().equals("count") ? Long.valueOf(0) : null;
    for (List<Object> row : members) {
      if (call.filter().isPresent() && !Boolean.TRUE.equals(row.get(call.filter().getAsInt()))) {
        continue;
      }
      Object value = call.arguments().isEmpty() ? (Object) 1L : row.get(call.arguments().get(0));
      if (value != null && (!call.distinct() || seen.add(value))) {
        total = (total == null ? 0 : total) + (Long) value;
      }
    }
    return total;
  }

  private static PhysicalPlan.Aggregate plan(
      Schema input, AggregateStep step, List<Integer> keys, List<AggregateCall> calls) {
    List<Field> fields = new ArrayList<>(input.select(keys).fields());
    calls.forEach(call -> fields.add(Field.nullable("result", DataType.INT64)));
    return new PhysicalPlan.Aggregate(
        1, new PhysicalPlan.Values(0, input, List.of()), step, keys, calls, new Schema(fields));
  }

  private static List<AggregateKernel> kernels(List<AggregateCall> calls) {
    return calls.stream().map(KERNELS::bind).toList();
  }

  private static void passes(
      List<List<Object>> rows, AggregateStep step, List<Integer> keys, List<AggregateCall> calls) {
    PhysicalPlan.Aggregate plan = plan(SCHEMA, step, keys, calls);
    new OperatorHarness(
            "Aggregate",
            SCHEMA,
            rows,
            reference(rows, keys, calls),
            false,
            (task, batches, form, batchRows) -> new AggregateOperator(plan, kernels(calls)))
        .run();
  }

  @Test
  void groupsByText() {
    passes(rows(), AggregateStep.SINGLE, List.of(0), List.of(COUNT, SUM));
  }

  @Test
  void groupsByNumber() {
    passes(rows(), AggregateStep.SINGLE, List.of(1), List.of(COUNT, SUM));
  }

  @Test
  void groupsByWholeNumber() {
    passes(rows(), AggregateStep.SINGLE, List.of(2), List.of(COUNT, SUM_WANTED));
  }

  @Test
  void groupsByListAndTextAndBoolean() {
    passes(rows(), AggregateStep.SINGLE, List.of(4, 0, 3), List.of(COUNT, SUM));
  }

  @Test
  void distinctAndFilteredCalls() {
    passes(
        rows(),
        AggregateStep.SINGLE,
        List.of(0),
        List.of(SUM_DISTINCT, SUM_WANTED, SUM_DISTINCT_WANTED, COUNT));
  }

  @Test
  void groupsWithoutCalls() {
    passes(rows(), AggregateStep.SINGLE, List.of(0, 1), List.of());
  }

  @Test
  void theGlobalGroup() {
    passes(rows(), AggregateStep.SINGLE, List.of(), List.of(COUNT, SUM, SUM_DISTINCT));
  }

  @Test
  void theGlobalGroupOverNoRows() {
    passes(List.of(), AggregateStep.SINGLE, List.of(), List.of(COUNT, SUM));
  }

  @Test
  void finalMergesStates() {
    Schema states =
        Schema.of(Field.nullable("text", DataType.STRING), Field.nullable("sum", DataType.INT64));
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < 30; row++) {
      rows.add(Arrays.asList(row % 4 == 0 ? null : "k" + row % 4, (long) row));
    }
    Map<Object, Long> sums = new LinkedHashMap<>();
    rows.forEach(row -> sums.merge(String.valueOf(row.get(0)), (Long) row.get(1), Long::sum));
    List<List<Object>> expected = new ArrayList<>();
    sums.forEach(
        (key, total) -> expected.add(Arrays.asList("null".equals(key) ? null : key, total)));
    List<AggregateCall> calls =
        List.of(
            new AggregateCall(
                "sum",
                List.of(1),
                List.of(DataType.INT64),
                false,
                OptionalInt.empty(),
                DataType.INT64));
    PhysicalPlan.Aggregate plan = plan(states, AggregateStep.FINAL, List.of(0), calls);
    new OperatorHarness(
            "Aggregate",
            states,
            rows,
            expected,
            false,
            (task, batches, form, batchRows) -> new AggregateOperator(plan, kernels(calls)))
        .run();
  }
}
