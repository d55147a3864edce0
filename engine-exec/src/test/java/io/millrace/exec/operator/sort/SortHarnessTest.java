package io.millrace.exec.operator.sort;

import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.OperatorHarness;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sort and top-N in the harness, over keys of many types. */
class SortHarnessTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.nullable("number", DataType.FLOAT64),
          Field.nullable("text", DataType.STRING),
          Field.nullable("amount", DataType.decimal(30, 2)),
          Field.required("row", DataType.INT32));

  private static final List<Object> NUMBERS =
      Arrays.asList(
          Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, -0.0, 0.0, 1.5, null);
  private static final List<Object> TEXTS =
      Arrays.asList("", "a", "a\0", "longer than eight", "longer than eighu", "Äpfel", null);
  private static final List<Object> AMOUNTS =
      Arrays.asList(
          new BigDecimal("-1.00"),
          new BigDecimal("99999999999999999999999999.99"),
          new BigDecimal("-99999999999999999999999999.99"),
          new BigDecimal("92233720368547758.07"),
          null);

  private static List<List<Object>> rows(int count) {
    Random random = new Random(3);
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      rows.add(
          Arrays.asList(
              NUMBERS.get(random.nextInt(NUMBERS.size())),
              TEXTS.get(random.nextInt(TEXTS.size())),
              AMOUNTS.get(random.nextInt(AMOUNTS.size())),
              row));
    }
    return rows;
  }

  /** The order by plain Java; stable. */
  static Comparator<List<Object>> reference(List<OrderKey> keys) {
    Comparator<List<Object>> order = Comparator.comparing(row -> 0);
    for (OrderKey key : keys) {
      Comparator<Object> values = SortHarnessTest::compareValues;
      Comparator<Object> directed = key.descending() ? values.reversed() : values;
      Comparator<Object> nullable =
          key.nullsFirst() ? Comparator.nullsFirst(directed) : Comparator.nullsLast(directed);
      order = order.thenComparing(row -> row.get(key.column()), nullable);
    }
    return order;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compareValues(Object left, Object right) {
    if (left instanceof Double l && right instanceof Double r) {
      return Double.compare(l + 0.0, r + 0.0);
    }
    if (left instanceof String l && right instanceof String r) {
      return Arrays.compareUnsigned(
          l.getBytes(java.nio.charset.StandardCharsets.UTF_8),
          r.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    return ((Comparable) left).compareTo(right);
  }

  private static void sortPasses(String name, List<OrderKey> keys) {
    List<List<Object>> expected = new ArrayList<>(rows(60));
    expected.sort(reference(keys));
    new OperatorHarness(
            name,
            SCHEMA,
            rows(60),
            expected,
            true,
            (task, batches, form, batchRows) -> new SortOperator(SCHEMA, keys))
        .run();
  }

  @Test
  void sortPassesAscending() {
    sortPasses("Sort", List.of(new OrderKey(0, false, false), new OrderKey(1, true, false)));
  }

  @Test
  void sortPassesByTextAndDecimal() {
    sortPasses("Sort", List.of(new OrderKey(1, false, true), new OrderKey(2, true, true)));
  }

  @Test
  void sortPassesByDecimalDescending() {
    sortPasses("Sort", List.of(new OrderKey(2, true, true), new OrderKey(0, true, true)));
  }

  @Test
  void topNPasses() {
    List<OrderKey> keys =
        List.of(
            new OrderKey(0, true, false),
            new OrderKey(2, false, false),
            new OrderKey(3, false, false));
    List<List<Object>> expected = new ArrayList<>(rows(60));
    expected.sort(reference(keys));
    PhysicalPlan.Values input = new PhysicalPlan.Values(0, SCHEMA, List.of());
    PhysicalPlan.TopN plan = new PhysicalPlan.TopN(1, input, keys, 3, 12);
    new OperatorHarness(
            "TopN",
            SCHEMA,
            rows(60),
            expected.subList(3, 15),
            true,
            (task, batches, form, batchRows) -> new TopNOperator(plan))
        .run();
  }

  @Test
  void topNOfManyRowsPasses() {
    List<OrderKey> keys = List.of(new OrderKey(1, false, false), new OrderKey(3, true, false));
    List<List<Object>> expected = new ArrayList<>(rows(90));
    expected.sort(reference(keys));
    PhysicalPlan.Values input = new PhysicalPlan.Values(0, SCHEMA, List.of());
    PhysicalPlan.TopN plan = new PhysicalPlan.TopN(1, input, keys, 0, Long.MAX_VALUE);
    new OperatorHarness(
            "TopN",
            SCHEMA,
            rows(90),
            expected,
            true,
            (task, batches, form, batchRows) -> new TopNOperator(plan))
        .run();
  }
}
