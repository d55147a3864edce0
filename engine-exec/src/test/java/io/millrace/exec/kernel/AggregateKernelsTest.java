package io.millrace.exec.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.AggregateKernel.Accumulator;
import io.millrace.core.spi.FunctionKernels.BoundCall;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AggregateKernelsTest {
  private final KernelHarness harness = new KernelHarness();
  private final Kernels kernels = Kernels.discovered();
  private final FunctionRegistry functions = FunctionRegistry.builtIn();
  private final Random random = new Random(11);

  @AfterEach
  void close() {
    harness.close();
  }

  private AggregateKernel kernel(String function, DataType... types) {
    List<Optional<Object>> constants = new ArrayList<>();
    Arrays.stream(types).forEach(type -> constants.add(Optional.empty()));
    ResolvedFunction resolved = functions.resolve(function, List.of(types), constants);
    return kernels.aggregate(
        new BoundCall(
            resolved.definition().name(),
            resolved.argumentTypes(),
            constants,
            resolved.resultType()));
  }

  /** Single, and split in two with merged states; grouped, ungrouped, and every form. */
  private void check(
      String function,
      DataType type,
      List<Object> values,
      Function<List<Object>, Object> reference) {
    for (KernelHarness.Form form : KernelHarness.Form.values()) {
      for (int groupCount : new int[] {1, 7, 300}) {
        int[] groups = new int[values.size()];
        Arrays.setAll(groups, row -> groupCount == 1 ? 0 : random.nextInt(groupCount));
        List<Object> expected = new ArrayList<>();
        for (int group = 0; group < groupCount; group++) {
          List<Object> members = new ArrayList<>();
          for (int row = 0; row < groups.length; row++) {
            if (groups[row] == group && values.get(row) != null) {
              members.add(values.get(row));
            }
          }
          expected.add(reference.apply(members));
        }
        String name = function + " of " + type + " " + form + " in " + groupCount;
        assertResults(name, expected, single(function, type, values, form, groups, groupCount));
        assertResults(name, expected, merged(function, type, values, form, groups, groupCount));
      }
    }
  }

  private static void assertResults(String name, List<Object> expected, List<Object> found) {
    for (int group = 0; group < expected.size(); group++) {
      if (expected.get(group) instanceof Double number
          && Double.isFinite(number)
          && found.get(group) != null) {
        double tolerance = Math.max(1e-9, Math.abs(number) * 1e-9);
        assertEquals(number, (double) found.get(group), tolerance, name + ", group " + group);
      } else {
        assertEquals(
            KernelHarness.text(expected.get(group)),
            KernelHarness.text(found.get(group)),
            name + ", group " + group);
      }
    }
  }

  private List<Object> single(
      String function,
      DataType type,
      List<Object> values,
      KernelHarness.Form form,
      int[] groups,
      int groupCount) {
    try (Accumulator accumulator = kernel(function, type).create(harness.allocator());
        ColumnVector column = harness.column(type, values, form)) {
      int half = values.size() / 2;
      accumulator.resize(Math.min(groupCount, 3));
      accumulator.resize(groupCount);
      // First the even rows by a selection, then the odd ones.
      for (int parity = 0; parity < 2; parity++) {
        int[] rows = new int[parity == 0 ? values.size() - half : half];
        int[] groupsOfRows = new int[rows.length];
        for (int index = 0; index < rows.length; index++) {
          rows[index] = 2 * index + parity;
          groupsOfRows[index] = groups[rows[index]];
        }
        accumulator.add(groupsOfRows, List.of(column), RowSet.of(values.size(), rows, rows.length));
      }
      try (ColumnVector results = accumulator.results(0, groupCount, harness.allocator())) {
        return values(results);
      }
    }
  }

  private List<Object> merged(
      String function,
      DataType type,
      List<Object> values,
      KernelHarness.Form form,
      int[] groups,
      int groupCount) {
    AggregateKernel kernel = kernel(function, type);
    int half = values.size() / 2;
    int[] allGroups = new int[groupCount];
    Arrays.setAll(allGroups, group -> group);
    try (Accumulator total = kernel.create(harness.allocator())) {
      total.resize(groupCount);
      for (int part = 0; part < 2; part++) {
        int from = part == 0 ? 0 : half;
        int to = part == 0 ? half : values.size();
        try (Accumulator partial = kernel.create(harness.allocator());
            ColumnVector column = harness.column(type, values.subList(from, to), form)) {
          partial.resize(groupCount);
          partial.add(Arrays.copyOfRange(groups, from, to), List.of(column), RowSet.all(to - from));
          List<ColumnVector> states = partial.states(0, groupCount, harness.allocator());
          total.merge(allGroups, states, RowSet.all(groupCount));
          states.forEach(ColumnVector::close);
        }
      }
      try (ColumnVector results = total.results(0, groupCount, harness.allocator())) {
        return values(results);
      }
    }
  }

  private static List<Object> values(ColumnVector column) {
    List<Object> values = new ArrayList<>();
    for (int row = 0; row < column.length(); row++) {
      values.add(column.valueAt(row));
    }
    return values;
  }

  private List<Object> random(int count, Function<Random, Object> value) {
    List<Object> values = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      values.add(random.nextInt(6) == 0 ? null : value.apply(random));
    }
    return values;
  }

  @Test
  void countAndSum() {
    List<Object> ints = random(3000, source -> source.nextInt());
    check("count", DataType.INT32, ints, members -> (long) members.size());
    check("sum", DataType.INT32, ints, orNull(members -> sumOfLongs(members)));
    List<Object> longs = random(500, source -> source.nextLong());
    check("sum", DataType.INT64, longs, orNull(members -> sumOfDecimals(members)));
    List<Object> money = random(500, source -> BigDecimal.valueOf(source.nextLong(), 2));
    check("sum", DataType.decimal(20, 2), money, orNull(members -> sumOfDecimals(members)));
    List<Object> wide =
        random(500, source -> new BigDecimal(new java.math.BigInteger(100, source), 4));
    check("sum", DataType.decimal(38, 4), wide, orNull(members -> sumOfDecimals(members)));
    List<Object> doubles = random(500, source -> source.nextDouble());
    check(
        "sum",
        DataType.FLOAT64,
        doubles,
        orNull(members -> members.stream().mapToDouble(value -> (double) value).sum()));
  }

  private static Function<List<Object>, Object> orNull(Function<List<Object>, Object> reference) {
    return members -> members.isEmpty() ? null : reference.apply(members);
  }

  private static Object sumOfLongs(List<Object> members) {
    return members.stream().mapToLong(value -> ((Number) value).longValue()).sum();
  }

  private static BigDecimal sumOfDecimals(List<Object> members) {
    return members.stream()
        .map(value -> new BigDecimal(value.toString()))
        .reduce(BigDecimal::add)
        .orElse(null);
  }

  @Test
  void averageAndSpread() {
    List<Object> money = random(500, source -> BigDecimal.valueOf(source.nextInt(), 2));
    check(
        "avg",
        DataType.decimal(15, 2),
        money,
        orNull(members -> sumOfDecimals(members).doubleValue() / members.size()));
    List<Object> ints = random(500, source -> source.nextInt());
    check(
        "avg",
        DataType.INT32,
        ints,
        orNull(members -> sumOfDecimals(members).doubleValue() / members.size()));
    List<Object> doubles = random(900, source -> 100 + source.nextDouble());
    check("var_pop", DataType.FLOAT64, doubles, members -> variance(members, 0));
    check("var_samp", DataType.FLOAT64, doubles, members -> variance(members, 1));
    check("stddev_pop", DataType.FLOAT64, doubles, members -> root(variance(members, 0)));
    check("stddev_samp", DataType.FLOAT64, doubles, members -> root(variance(members, 1)));
  }

  private static Double variance(List<Object> members, int lost) {
    if (members.size() <= lost) {
      return null;
    }
    double mean = members.stream().mapToDouble(value -> (double) value).average().orElse(0);
    return members.stream().mapToDouble(value -> Math.pow((double) value - mean, 2)).sum()
        / (members.size() - lost);
  }

  private static Double root(Double value) {
    return value == null ? null : Math.sqrt(value);
  }

  @Test
  void leastAndGreatest() {
    extremes(DataType.INT16, random(500, source -> (short) source.nextInt()));
    extremes(DataType.DATE, random(500, source -> LocalDate.ofEpochDay(source.nextInt(90_000))));
    extremes(DataType.BOOLEAN, random(500, source -> source.nextBoolean()));
    extremes(DataType.UINT64, random(500, source -> new java.math.BigInteger(64, source)));
    extremes(
        DataType.FLOAT64,
        random(500, source -> source.nextInt(9) == 0 ? Double.NaN : source.nextDouble()));
    extremes(
        DataType.decimal(38, 4),
        random(500, source -> new BigDecimal(new java.math.BigInteger(100, source), 4)));
    extremes(DataType.STRING, random(3000, source -> Integer.toString(source.nextInt(), 36)));
    check(
        "bool_and",
        DataType.BOOLEAN,
        random(500, source -> source.nextInt(4) > 0),
        orNull(members -> members.stream().allMatch(value -> (boolean) value)));
    check("any_value", DataType.STRING, random(500, source -> "same"), orNull(members -> "same"));
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private void extremes(DataType type, List<Object> values) {
    Function<Object, Comparable> comparable = value -> (Comparable) value;
    check(
        "min",
        type,
        values,
        members ->
            members.stream()
                .filter(Objects::nonNull)
                .min((left, right) -> comparable.apply(left).compareTo(right))
                .orElse(null));
    check(
        "max",
        type,
        values,
        members ->
            members.stream()
                .filter(Objects::nonNull)
                .max((left, right) -> comparable.apply(left).compareTo(right))
                .orElse(null));
  }

  @Test
  void sumBeyondItsTypeIsAnError() {
    List<Object> huge = new ArrayList<>();
    for (int row = 0; row < 20; row++) {
      huge.add(new BigDecimal("9".repeat(38)));
    }
    MillraceException fault =
        assertThrows(
            MillraceException.class,
            () ->
                single(
                    "sum", DataType.decimal(38, 0), huge, KernelHarness.Form.FLAT, new int[20], 1));
    assertEquals(ErrorCode.NUMERIC_OVERFLOW, fault.code());
  }

  @Test
  void countWithoutArgumentsCountsRows() {
    try (Accumulator accumulator = kernel("count").create(harness.allocator())) {
      accumulator.resize(2);
      accumulator.add(new int[] {0, 1, 1}, List.of(), RowSet.all(3));
      try (ColumnVector results = accumulator.results(0, 2, harness.allocator())) {
        assertEquals(List.of(1L, 2L), values(results));
      }
    }
  }
}
