package io.millrace.exec.expression;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalExpression.Branch;
import io.millrace.core.plan.PhysicalExpression.CaseWhen;
import io.millrace.core.plan.PhysicalExpression.Coalesce;
import io.millrace.core.plan.PhysicalExpression.Constant;
import io.millrace.core.plan.PhysicalExpression.FieldAccess;
import io.millrace.core.plan.PhysicalExpression.InSet;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.plan.PhysicalExpression.Logical;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.exec.kernel.KernelHarness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExpressionTest {
  private static final DataType INT64 = DataType.INT64;

  private final KernelHarness harness = new KernelHarness();

  @AfterEach
  void close() {
    harness.close();
  }

  private static Constant number(long value) {
    return new Constant(value, INT64);
  }

  private static List<List<Object>> truthTable() {
    List<List<Object>> rows = new ArrayList<>();
    for (Boolean left : new Boolean[] {true, false, null}) {
      for (Boolean right : new Boolean[] {true, false, null}) {
        rows.add(Arrays.asList(left, right));
      }
    }
    return rows;
  }

  @Test
  void kleeneLogic() {
    List<DataType> types = List.of(DataType.BOOLEAN, DataType.BOOLEAN);
    List<PhysicalExpression> inputs =
        List.of(new Input(0, DataType.BOOLEAN), new Input(1, DataType.BOOLEAN));
    harness.check(
        new Logical(true, inputs),
        types,
        truthTable(),
        row -> row.contains(false) ? (Object) false : row.contains(null) ? null : (Object) true);
    harness.check(
        new Logical(false, inputs),
        types,
        truthTable(),
        row -> row.contains(true) ? (Object) true : row.contains(null) ? null : (Object) false);
  }

  @Test
  void laterArgumentsSeeOnlyUndecidedRows() {
    // x <> 0 AND 10 / x > 2, and x = 0 OR 10 / x > 2: the quotient of 0 is never asked for.
    List<DataType> types = List.of(INT64);
    PhysicalExpression x = new Input(0, INT64);
    PhysicalExpression large =
        harness.callOf("gt", harness.callOf("divide", number(10), x), number(2));
    List<List<Object>> rows =
        List.of(List.of(0L), List.of(1L), List.of(5L), Arrays.asList((Object) null));
    harness.check(
        new Logical(true, List.of(harness.callOf("ne", x, number(0)), large)),
        types,
        rows,
        row ->
            row.get(0) == null
                ? null
                : (Object) ((long) row.get(0) != 0 && 10 / (long) row.get(0) > 2));
    harness.check(
        new Logical(false, List.of(harness.callOf("eq", x, number(0)), large)),
        types,
        rows,
        row ->
            row.get(0) == null
                ? null
                : (Object) ((long) row.get(0) == 0 || 10 / (long) row.get(0) > 2));
    harness.check(
        new CaseWhen(
            List.of(new Branch(harness.callOf("eq", x, number(0)), number(-1))),
            Optional.of(harness.callOf("divide", number(10), x)),
            INT64),
        types,
        rows,
        row ->
            row.get(0) == null
                ? null
                : (Object) ((long) row.get(0) == 0 ? -1L : 10 / (long) row.get(0)));
  }

  @Test
  void caseTakesTheFirstTrueBranch() {
    PhysicalExpression x = new Input(0, INT64);
    PhysicalExpression text =
        new CaseWhen(
            List.of(
                new Branch(
                    harness.callOf("lt", x, number(10)), new Constant("small", DataType.STRING)),
                new Branch(
                    harness.callOf("lt", x, number(100)), new Constant("middle", DataType.STRING))),
            Optional.empty(),
            DataType.STRING);
    harness.check(
        text,
        List.of(INT64),
        List.of(List.of(5L), List.of(50L), List.of(500L), Arrays.asList((Object) null)),
        row ->
            row.get(0) == null
                ? null
                : (long) row.get(0) < 10 ? "small" : (long) row.get(0) < 100 ? "middle" : null);
  }

  @Test
  void anUntypedNullTakesTheTypeOfTheResult() {
    PhysicalExpression x = new Input(0, INT64);
    harness.check(
        new CaseWhen(
            List.of(
                new Branch(harness.callOf("gt", x, number(0)), new Constant(null, DataType.NULL))),
            Optional.empty(),
            INT64),
        List.of(INT64),
        List.of(List.of(1L), List.of(2L)),
        row -> null);
    harness.check(
        new Coalesce(List.of(new Constant(null, DataType.NULL), x), INT64),
        List.of(INT64),
        List.of(List.of(1L), Arrays.asList((Object) null)),
        row -> row.get(0));
  }

  @Test
  void coalesceTakesTheFirstThatIsNotNull() {
    List<DataType> types = List.of(DataType.STRING, DataType.STRING);
    harness.check(
        new Coalesce(
            List.of(new Input(0, DataType.STRING), new Input(1, DataType.STRING)), DataType.STRING),
        types,
        List.of(
            Arrays.asList("a", "b"),
            Arrays.asList(null, "b"),
            Arrays.asList("", "b"),
            Arrays.asList(null, null)),
        row -> row.get(0) == null ? row.get(1) : row.get(0));
  }

  @Test
  void setTestsFollowTheNullRules() {
    for (boolean hasNull : new boolean[] {true, false}) {
      for (boolean negated : new boolean[] {true, false}) {
        checkSet(DataType.STRING, List.of("a", "", "a long text"), "b", hasNull, negated);
        checkSet(INT64, List.of(1L, -5L, Long.MIN_VALUE), 7L, hasNull, negated);
        checkSet(DataType.FLOAT64, List.of(0.0, Double.NaN), 7.0, hasNull, negated);
        checkSet(
            DataType.decimal(20, 2),
            List.of(new java.math.BigDecimal("1.00")),
            new java.math.BigDecimal("2.00"),
            hasNull,
            negated);
        checkSet(DataType.BOOLEAN, List.of(true), false, hasNull, negated);
        checkSet(
            DataType.list(INT64), List.of(List.of(1L), List.of(2L)), List.of(3L), hasNull, negated);
      }
    }
  }

  private void checkSet(
      DataType type, List<Object> members, Object other, boolean hasNull, boolean negated) {
    List<List<Object>> rows = new ArrayList<>();
    members.forEach(member -> rows.add(Arrays.asList(member)));
    rows.add(Arrays.asList(other));
    rows.add(Arrays.asList((Object) null));
    harness.check(
        new InSet(new Input(0, type), members, hasNull, negated),
        List.of(type),
        rows,
        row -> {
          if (row.get(0) == null) {
            return null;
          }
          boolean found = members.contains(row.get(0));
          return !found && hasNull ? null : (Object) (found ^ negated);
        });
  }

  @Test
  void manyCandidates() {
    List<Object> candidates = new ArrayList<>();
    for (int index = 0; index < 10_000; index++) {
      candidates.add("key-" + index * 3);
    }
    List<List<Object>> rows = new ArrayList<>();
    for (int index = 0; index < 5_000; index++) {
      rows.add(List.of("key-" + index));
    }
    int[] found =
        harness.select(
            new InSet(new Input(0, DataType.STRING), candidates, false, false),
            List.of(DataType.STRING),
            rows,
            KernelHarness.Form.FLAT,
            null);
    assertEquals(1667, found.length);
    assertArrayEquals(new int[] {0, 3, 6}, Arrays.copyOf(found, 3));
  }

  @Test
  void membersOfStructs() {
    DataType type =
        DataType.struct(Field.nullable("a", INT64), Field.nullable("b", DataType.STRING));
    Map<String, Object> whole = new LinkedHashMap<>();
    whole.put("a", 1L);
    whole.put("b", "x");
    Map<String, Object> part = new LinkedHashMap<>();
    part.put("a", null);
    part.put("b", "y");
    harness.check(
        new FieldAccess(new Input(0, type), 0, INT64),
        List.of(type),
        List.of(List.of(whole), List.of(part), Arrays.asList((Object) null)),
        row -> row.get(0) == null ? null : ((Map<?, ?>) row.get(0)).get("a"));
  }

  @Test
  void nestedPredicatesCombineSelections() {
    // (x > 1 AND x < 5) OR x = 9, over a selection.
    PhysicalExpression x = new Input(0, INT64);
    PhysicalExpression predicate =
        new Logical(
            false,
            List.of(
                new Logical(
                    true,
                    List.of(
                        harness.callOf("gt", x, number(1)), harness.callOf("lt", x, number(5)))),
                harness.callOf("eq", x, number(9))));
    List<List<Object>> rows = new ArrayList<>();
    for (long value = 0; value < 5_000; value++) {
      rows.add(List.of(value % 12));
    }
    harness.check(
        predicate,
        List.of(INT64),
        rows,
        row -> (long) row.get(0) > 1 && (long) row.get(0) < 5 || (long) row.get(0) == 9);
  }

  @Test
  void sharedPartsAreComputedForTheRowsThatNeedThem() {
    // CASE WHEN x = 0 THEN 0 ELSE 10 / x END + coalesce(nullif(x, 0), 1): 10 / x stands twice.
    PhysicalExpression x = new Input(0, INT64);
    PhysicalExpression quotient = harness.callOf("divide", number(10), x);
    PhysicalExpression guarded =
        new CaseWhen(
            List.of(new Branch(harness.callOf("gt", x, number(3)), quotient)),
            Optional.of(
                new CaseWhen(
                    List.of(new Branch(harness.callOf("ne", x, number(0)), quotient)),
                    Optional.of(number(0)),
                    INT64)),
            INT64);
    List<PhysicalExpression> all = List.of(guarded, harness.callOf("add", guarded, guarded));
    List<List<Object>> rows = List.of(List.of(0L), List.of(1L), List.of(5L));
    try (Batch batch = harness.batch(List.of(INT64), rows, KernelHarness.Form.FLAT, null);
        CompiledProjection projection =
            ExpressionCompiler.discovered().compileAll(all, harness.allocator())) {
      for (int run = 0; run < 2; run++) {
        List<ColumnVector> columns = projection.evaluateAll(batch);
        assertEquals(10L, columns.get(0).valueAt(1));
        assertEquals(0L, columns.get(0).valueAt(0));
        assertEquals(4L, columns.get(1).valueAt(2));
        columns.forEach(ColumnVector::close);
      }
    }
  }

  @Test
  void anErrorLeavesNothingBehind() {
    PhysicalExpression x = new Input(0, INT64);
    PhysicalExpression quotient = harness.callOf("divide", number(10), x);
    PhysicalExpression twice =
        harness.callOf(
            "add", harness.callOf("add", x, x), harness.callOf("add", quotient, quotient));
    MillraceException fault =
        assertThrows(
            MillraceException.class,
            () ->
                harness.values(
                    twice, List.of(INT64), List.of(List.of(0L)), KernelHarness.Form.FLAT, null));
    assertEquals(ErrorCode.DIVISION_BY_ZERO, fault.code());
  }

  @Test
  void constantsFold() {
    FoldingEvaluator folding = new FoldingEvaluator();
    assertEquals(3L, folding.evaluate(harness.callOf("add", number(1), number(2))));
    assertEquals(null, folding.evaluate(new Constant(null, INT64)));
    assertThrows(
        MillraceException.class,
        () -> folding.evaluate(harness.callOf("divide", number(1), number(0))));
  }
}
