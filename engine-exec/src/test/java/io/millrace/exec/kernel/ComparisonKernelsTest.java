package io.millrace.exec.kernel;

import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ComparisonKernelsTest {
  private final KernelHarness harness = new KernelHarness();

  @AfterEach
  void close() {
    harness.close();
  }

  private static final Map<String, IntPredicate> RELATIONS =
      Map.of(
          "eq", order -> order == 0,
          "ne", order -> order != 0,
          "lt", order -> order < 0,
          "le", order -> order <= 0,
          "gt", order -> order > 0,
          "ge", order -> order >= 0);

  /** Compares all pairs of the values, nulls among them, by every function. */
  private void checkAll(DataType type, Comparator<Object> order, Object... values) {
    List<Object> all = new ArrayList<>(Arrays.asList(values));
    all.add(null);
    List<List<Object>> rows = new ArrayList<>();
    for (Object left : all) {
      for (Object right : all) {
        rows.add(Arrays.asList(left, right));
      }
    }
    List<DataType> types = List.of(type, type);
    RELATIONS.forEach(
        (function, holds) ->
            harness.check(
                function,
                types,
                rows,
                row ->
                    row.get(0) == null || row.get(1) == null
                        ? null
                        : holds.test(order.compare(row.get(0), row.get(1)))));
    harness.check(
        "is_not_distinct_from",
        types,
        rows,
        row ->
            row.get(0) == null || row.get(1) == null
                ? (row.get(0) == null) == (row.get(1) == null)
                : order.compare(row.get(0), row.get(1)) == 0);
    harness.check(
        "is_distinct_from",
        types,
        rows,
        row ->
            row.get(0) == null || row.get(1) == null
                ? (row.get(0) == null) != (row.get(1) == null)
                : order.compare(row.get(0), row.get(1)) != 0);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Comparator<Object> natural() {
    return (left, right) -> ((Comparable) left).compareTo(right);
  }

  @Test
  void integersAndDates() {
    checkAll(DataType.INT8, natural(), (byte) -128, (byte) 0, (byte) 127);
    checkAll(DataType.INT32, natural(), Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE);
    checkAll(DataType.INT64, natural(), Long.MIN_VALUE, -1L, Long.MAX_VALUE);
    checkAll(
        DataType.UINT64,
        natural(),
        java.math.BigInteger.ZERO,
        java.math.BigInteger.TWO.pow(63),
        java.math.BigInteger.TWO.pow(64).subtract(java.math.BigInteger.ONE));
    checkAll(DataType.DATE, natural(), LocalDate.of(1969, 12, 31), LocalDate.of(2024, 2, 29));
    checkAll(DataType.BOOLEAN, natural(), true, false);
  }

  @Test
  void floatsHaveNanLastAndOneZero() {
    Comparator<Object> order =
        (left, right) -> Double.compare((double) left + 0.0, (double) right + 0.0);
    checkAll(
        DataType.FLOAT64,
        order,
        Double.NEGATIVE_INFINITY,
        -0.0,
        0.0,
        1.5,
        Double.POSITIVE_INFINITY,
        Double.NaN);
    Comparator<Object> single =
        (left, right) -> Float.compare((float) left + 0.0f, (float) right + 0.0f);
    checkAll(DataType.FLOAT32, single, -0.0f, 0.0f, Float.NaN, Float.POSITIVE_INFINITY);
  }

  @Test
  void textIsOrderedByCodePoint() {
    // U+FFFD is below U+1F600, but above its first UTF-16 unit.
    Comparator<Object> order =
        (left, right) ->
            Arrays.compareUnsigned(
                ((String) left).getBytes(StandardCharsets.UTF_8),
                ((String) right).getBytes(StandardCharsets.UTF_8));
    checkAll(
        DataType.STRING, order, "", "a", "ab", "abcdefgh", "abcdefghi", "abcdefgi", "\uFFFD", "😀");
    checkAll(
        DataType.BINARY,
        (left, right) -> Arrays.compareUnsigned((byte[]) left, (byte[]) right),
        new byte[] {},
        new byte[] {-1},
        new byte[] {1, 2});
    checkAll(
        DataType.UUID,
        (left, right) -> left.toString().compareTo(right.toString()),
        new UUID(-1, 5),
        new UUID(5, -1));
  }

  @Test
  void decimals() {
    checkAll(
        DataType.decimal(38, 2),
        natural(),
        new BigDecimal("-1.00"),
        new BigDecimal("0.00"),
        new BigDecimal("123456789012345678901234567890.12"),
        new BigDecimal("-123456789012345678901234567890.12"));
    checkAll(DataType.decimal(9, 2), natural(), new BigDecimal("-1.00"), new BigDecimal("7.25"));
  }

  @Test
  void listsAndStructs() {
    Comparator<Object> listOrder =
        (left, right) -> {
          List<?> first = (List<?>) left;
          List<?> second = (List<?>) right;
          for (int index = 0; index < Math.min(first.size(), second.size()); index++) {
            Integer one = (Integer) first.get(index);
            Integer two = (Integer) second.get(index);
            int sign =
                one == null || two == null
                    ? Boolean.compare(one == null, two == null)
                    : one.compareTo(two);
            if (sign != 0) {
              return sign;
            }
          }
          return Integer.compare(first.size(), second.size());
        };
    checkAll(
        DataType.list(DataType.INT32),
        listOrder,
        List.of(),
        List.of(1),
        List.of(1, 2),
        Arrays.asList(1, null),
        List.of(2));
  }
}
