package io.millrace.lance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalExpression.Call;
import io.millrace.core.plan.PhysicalExpression.Constant;
import io.millrace.core.plan.PhysicalExpression.InSet;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.plan.PhysicalExpression.Logical;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What Lance filters is what this engine would: every accepted predicate against plain Java. */
class LanceFilterTest {
  private static final List<String> OPERATORS = List.of("eq", "ne", "lt", "le", "gt", "ge");
  private static final double NEGATIVE_NAN = Double.longBitsToDouble(0xfff8000000000000L);
  private static final float NEGATIVE_NAN_SINGLE = Float.intBitsToFloat(0xffc00000);

  private static final Map<String, DataType> TYPES = types();
  private static final Map<String, List<Object>> VALUES = values();
  private static final int ROWS = 12;

  private final LanceHarness lance = new LanceHarness();
  private Schema schema;
  private List<List<Object>> rows;
  private Table table;

  private static Map<String, DataType> types() {
    Map<String, DataType> types = new TreeMap<>();
    types.put("flag", DataType.BOOLEAN);
    types.put("i8", DataType.INT8);
    types.put("i16", DataType.INT16);
    types.put("i32", DataType.INT32);
    types.put("i64", DataType.INT64);
    types.put("u8", DataType.UINT8);
    types.put("u32", DataType.UINT32);
    types.put("u64", DataType.UINT64);
    types.put("single", DataType.FLOAT32);
    types.put("double", DataType.FLOAT64);
    types.put("text", DataType.STRING);
    types.put("day", DataType.DATE);
    types.put("price", DataType.decimal(15, 2));
    types.put("wide", DataType.decimal(38, 10));
    for (TimeUnit unit : TimeUnit.values()) {
      types.put("ts" + unit.digits(), new DataType.Timestamp(unit, Optional.empty()));
    }
    // Names that need quoting, differ in case only, or are words of SQL.
    types.put("My Col", DataType.INT32);
    types.put("my col", DataType.INT32);
    types.put("select", DataType.INT32);
    types.put("it's", DataType.INT32);
    return types;
  }

  private static Map<String, List<Object>> values() {
    Map<String, List<Object>> values = new TreeMap<>();
    values.put("flag", List.of(true, false));
    values.put("i8", List.of((byte) -128, (byte) -1, (byte) 0, (byte) 5, (byte) 127));
    values.put("i16", List.of(Short.MIN_VALUE, (short) 7, Short.MAX_VALUE));
    values.put("i32", List.of(Integer.MIN_VALUE, -3, 0, 9, Integer.MAX_VALUE));
    values.put("i64", List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -1L, 9L, Long.MAX_VALUE));
    values.put("u8", List.of((short) 0, (short) 200, (short) 255));
    values.put("u32", List.of(0L, 4_294_967_295L, 3L));
    values.put(
        "u64",
        List.of(
            BigInteger.ZERO,
            BigInteger.valueOf(Long.MAX_VALUE),
            BigInteger.TWO.pow(64).subtract(BigInteger.ONE)));
    values.put(
        "single",
        List.of(
            Float.NaN,
            NEGATIVE_NAN_SINGLE,
            -0f,
            0f,
            0.1f,
            -1.5f,
            Float.MIN_VALUE,
            Float.MAX_VALUE,
            Float.NEGATIVE_INFINITY,
            Float.POSITIVE_INFINITY,
            16777216f));
    values.put(
        "double",
        List.of(
            Double.NaN,
            NEGATIVE_NAN,
            -0.0,
            0.0,
            0.1,
            -1.5,
            1e-300,
            1e300,
            Double.MAX_VALUE,
            Double.NEGATIVE_INFINITY,
            Double.POSITIVE_INFINITY));
    values.putAll(textsAndTimes());
    for (String name : List.of("My Col", "my col", "select", "it's")) {
      values.put(name, List.of(name.hashCode() % 7, 3, 5));
    }
    return values;
  }

  private static Map<String, List<Object>> textsAndTimes() {
    Map<String, List<Object>> values = new TreeMap<>();
    values.put(
        "text",
        List.of(
            "",
            "a",
            "it's",
            "back\\slash",
            "Ärger",
            "雨",
            "a\nb",
            "%_",
            "\"q\"",
            "b",
            "smile\uD83D\uDE00"));
    values.put(
        "day",
        List.of(
            LocalDate.of(1970, 1, 1),
            LocalDate.of(1969, 12, 31),
            LocalDate.of(9999, 12, 31),
            LocalDate.of(1, 1, 1),
            LocalDate.of(2024, 2, 29)));
    values.put(
        "price", List.of(new BigDecimal("-1.50"), new BigDecimal("0.00"), new BigDecimal("1.51")));
    values.put(
        "wide",
        List.of(
            new BigDecimal("9999999999999999999999999999.9999999999"),
            new BigDecimal("-0.0000000001"),
            new BigDecimal("2.5000000000")));
    List<Object> stamps =
        List.of(
            LocalDateTime.of(1970, 1, 1, 0, 0),
            LocalDateTime.of(1969, 12, 31, 23, 59, 59),
            LocalDateTime.of(2026, 3, 29, 2, 30, 1),
            LocalDateTime.of(1750, 6, 1, 12, 0));
    values.put("ts0", stamps);
    values.put("ts3", with(stamps, LocalDateTime.of(2026, 3, 29, 2, 30, 1, 7_000_000)));
    values.put("ts6", with(stamps, LocalDateTime.of(2026, 3, 29, 2, 30, 1, 7_000)));
    values.put("ts9", with(stamps, LocalDateTime.of(2026, 3, 29, 2, 30, 1, 7)));
    return values;
  }

  private static List<Object> with(List<Object> values, Object more) {
    List<Object> all = new ArrayList<>(values);
    all.add(more);
    return all;
  }

  @BeforeEach
  void writeValues() {
    List<Field> fields =
        TYPES.entrySet().stream().map(e -> Field.nullable(e.getKey(), e.getValue())).toList();
    schema = new Schema(fields);
    rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      List<Object> values = new ArrayList<>();
      for (String name : schema.names()) {
        List<Object> known = VALUES.get(name);
        values.add(row == ROWS - 1 || row == 3 ? null : known.get(row % known.size()));
      }
      rows.add(values);
    }
    lance.write(lance.sink(lance.at("t"), WriteMode.CREATE, schema), rows);
    table = lance.open(lance.at("t"));
  }

  @AfterEach
  void closeFindsLeaks() {
    table.close();
    lance.close();
  }

  @Test
  void everyComparisonOfEveryTypeAnswersAsTheEngineDoes() {
    int accepted = 0;
    for (String name : schema.names()) {
      for (Object literal : VALUES.get(name)) {
        for (String operator : OPERATORS) {
          Constant constant = new Constant(literal, TYPES.get(name));
          accepted += check(call(operator, column(name), constant));
          accepted += check(call(operator, constant, column(name)));
          accepted += check(call("not", call(operator, column(name), constant)));
        }
      }
    }
    assertTrue(accepted > 900, "accepted " + accepted);
  }

  @Test
  void nullsSetsAndConnectivesAnswerAsTheEngineDoes() {
    int accepted = 0;
    for (String name : schema.names()) {
      accepted += check(call("is_null", column(name)));
      accepted += check(call("not", call("is_not_null", column(name))));
      for (boolean negated : new boolean[] {false, true}) {
        List<Object> two = VALUES.get(name).subList(0, 2);
        accepted += check(new InSet(column(name), two, false, negated));
        assertEquals(0, check(new InSet(column(name), two, true, negated)));
      }
    }
    accepted += check(column("flag"));
    accepted += check(call("not", column("flag")));
    assertTrue(accepted > 60, "accepted " + accepted);
    Random random = new Random(11);
    for (int round = 0; round < 300; round++) {
      check(random(random, 3));
    }
  }

  private PhysicalExpression random(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      PhysicalExpression left = random(random, depth - 1);
      PhysicalExpression right = random(random, depth - 1);
      return random.nextInt(4) == 0
          ? call("not", left)
          : new Logical(random.nextBoolean(), List.of(left, right));
    }
    String name = schema.names().get(random.nextInt(schema.size()));
    List<Object> known = VALUES.get(name);
    return call(
        OPERATORS.get(random.nextInt(6)),
        column(name),
        new Constant(known.get(random.nextInt(known.size())), TYPES.get(name)));
  }

  @Test
  void whatLanceWouldAnswerOtherwiseIsNotAccepted() {
    Constant zero = new Constant(0.0, DataType.FLOAT64);
    refuses(call("eq", column("double"), zero));
    refuses(call("lt", column("double"), new Constant(Double.NaN, DataType.FLOAT64)));
    refuses(call("eq", column("double"), new Constant(Double.POSITIVE_INFINITY, DataType.FLOAT64)));
    refuses(call("eq", column("single"), new Constant(0.1, DataType.FLOAT64)));
    refuses(call("eq", column("text"), new Constant("smile\uD83D\uDE00", DataType.STRING)));
    refuses(call("eq", column("text"), new Constant("zero\0", DataType.STRING)));
    refuses(call("eq", column("text"), new Constant(null, DataType.STRING)));
    refuses(call("gt", column("i64"), new Constant(Long.MIN_VALUE, DataType.INT64)));
    refuses(call("lt", column("i8"), new Constant(300, DataType.INT32)));
    LocalDateTime nanos = LocalDateTime.of(2026, 3, 29, 2, 30, 1, 7);
    refuses(call("eq", column("ts9"), new Constant(nanos, TYPES.get("ts9"))));
    refuses(call("like", column("text"), new Constant("a%", DataType.STRING)));
    refuses(call("eq", column("i32"), column("select")));
    refuses(
        new Logical(
            false, List.of(call("is_null", column("i32")), call("eq", column("double"), zero))));
  }

  private void refuses(PhysicalExpression predicate) {
    assertEquals(List.of(), table.acceptedFilters(List.of(predicate)), predicate.toString());
  }

  @Test
  void aLimitCountsRowsAfterTheFilter() {
    PhysicalExpression five = call("ge", column("i8"), new Constant((byte) 5, DataType.INT8));
    List<List<Object>> found =
        lance.rows(
            table, LanceHarness.scanOf(table, List.of("i8"), List.of(five), OptionalLong.of(2)));
    assertEquals(2, found.size());
  }

  /** Runs an accepted predicate and compares; 1 when it was accepted. */
  private int check(PhysicalExpression predicate) {
    if (table.acceptedFilters(List.of(predicate)).isEmpty()) {
      return 0;
    }
    List<Integer> expected = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      if (Boolean.TRUE.equals(evaluate(predicate, rows.get(row)))) {
        expected.add(row);
      }
    }
    List<List<Object>> wanted = expected.stream().map(row -> rows.get(row)).toList();
    List<Batch> batches =
        lance.batches(
            table,
            LanceHarness.scanOf(table, schema.names(), List.of(predicate), OptionalLong.empty()));
    List<List<Object>> found = new ArrayList<>();
    for (Batch batch : batches) {
      try (batch) {
        for (int row = 0; row < batch.rowCount(); row++) {
          Object[] values = new Object[batch.columnCount()];
          for (int column = 0; column < values.length; column++) {
            values[column] = batch.valueAt(column, row);
          }
          found.add(Arrays.asList(values));
        }
      }
    }
    assertEquals(wanted, found, predicate.toString());
    return 1;
  }

  private Boolean evaluate(PhysicalExpression expression, List<Object> row) {
    return switch (expression) {
      case Input input -> (Boolean) row.get(input.index());
      case Logical logical -> {
        boolean unknown = false;
        for (PhysicalExpression argument : logical.arguments()) {
          Boolean value = evaluate(argument, row);
          if (value == null) {
            unknown = true;
          } else if (value != logical.conjunction()) {
            yield value;
          }
        }
        yield unknown ? null : logical.conjunction();
      }
      case InSet set -> {
        Object value = row.get(((Input) set.value()).index());
        yield value == null
            ? null
            : set.candidates().stream().anyMatch(c -> compare(value, c) == 0) != set.negated();
      }
      case Call call when call.function().equals("not") -> {
        Boolean inner = evaluate(call.arguments().getFirst(), row);
        yield inner == null ? null : !inner;
      }
      case Call call when call.function().equals("is_null") ->
          row.get(((Input) call.arguments().getFirst()).index()) == null;
      case Call call when call.function().equals("is_not_null") ->
          row.get(((Input) call.arguments().getFirst()).index()) != null;
      case Call call -> {
        Object left = operand(call.arguments().get(0), row);
        Object right = operand(call.arguments().get(1), row);
        yield left == null || right == null ? null : holds(call.function(), compare(left, right));
      }
      default -> throw new AssertionError(expression);
    };
  }

  private static Object operand(PhysicalExpression expression, List<Object> row) {
    return expression instanceof Input input
        ? row.get(input.index())
        : ((Constant) expression).value();
  }

  private static boolean holds(String operator, int order) {
    return switch (operator) {
      case "eq" -> order == 0;
      case "ne" -> order != 0;
      case "lt" -> order < 0;
      case "le" -> order <= 0;
      case "gt" -> order > 0;
      default -> order >= 0;
    };
  }

  /** The engine's order: NaN equals NaN and is above all, zeros are equal, text by UTF-8 bytes. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compare(Object left, Object right) {
    if (left instanceof Double || left instanceof Float) {
      double a = ((Number) left).doubleValue() + 0.0;
      double b = ((Number) right).doubleValue() + 0.0;
      return Double.compare(a, b);
    }
    if (left instanceof String text) {
      return Arrays.compareUnsigned(
          text.getBytes(java.nio.charset.StandardCharsets.UTF_8),
          ((String) right).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    return ((Comparable) left).compareTo(right);
  }

  private Input column(String name) {
    return LanceHarness.input(table, name);
  }

  private static Call call(String function, PhysicalExpression... arguments) {
    return new Call(function, List.of(arguments), DataType.BOOLEAN);
  }

  @Test
  void theNamesInThisTestAreHeldApart() {
    assertFalse(schema.find("My Col").equals(schema.find("my col")));
  }
}
