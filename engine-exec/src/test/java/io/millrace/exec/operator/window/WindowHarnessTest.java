package io.millrace.exec.operator.window;

import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.plan.WindowCall;
import io.millrace.core.plan.WindowFrame;
import io.millrace.core.plan.WindowFrame.Bound;
import io.millrace.core.plan.WindowFrame.Edge;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.aggregate.AggregateKernels;
import io.millrace.exec.pipeline.OperatorHarness;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Windows in the harness: ranks, shifts, values and sums over frames, each against plain Java. */
class WindowHarnessTest {
  private static final int ROWS = 70;
  private static final Schema SCHEMA =
      Schema.of(
          Field.nullable("part", DataType.STRING),
          Field.nullable("key", DataType.INT64),
          Field.nullable("value", DataType.INT64),
          Field.nullable("wanted", DataType.BOOLEAN));
  private static final List<OrderKey> ORDER = List.of(new OrderKey(1, false, false));
  private static final PhysicalExpression VALUE = new PhysicalExpression.Input(2, DataType.INT64);

  private static List<List<Object>> rows() {
    Random random = new Random(11);
    List<List<Object>> rows = new ArrayList<>();
    List<String> parts = Arrays.asList("a", "b", "longer than eight bytes", null);
    int part = 0;
    long key = 0;
    for (int row = 0; row < ROWS; row++) {
      if (random.nextInt(20) == 0 && part < 3) {
        part++;
        key = 0;
      }
      key += random.nextInt(3);
      rows.add(
          Arrays.asList(
              parts.get(part),
              (Object) key,
              random.nextInt(5) == 0 ? null : (Object) random.nextLong(20),
              random.nextInt(4) == 0 ? null : (Object) random.nextBoolean()));
    }
    return rows;
  }

  private static WindowFrame rowFrame(long before, long after, WindowFrame.Exclusion exclusion) {
    return new WindowFrame(
        WindowFrame.Unit.ROWS,
        new Bound(
            Edge.PRECEDING, Optional.of(new PhysicalExpression.Constant(before, DataType.INT64))),
        new Bound(
            Edge.FOLLOWING, Optional.of(new PhysicalExpression.Constant(after, DataType.INT64))),
        exclusion);
  }

  private static WindowFrame running() {
    return new WindowFrame(
        WindowFrame.Unit.RANGE,
        Bound.of(Edge.UNBOUNDED_PRECEDING),
        Bound.of(Edge.CURRENT_ROW),
        WindowFrame.Exclusion.NO_OTHERS);
  }

  private static WindowCall call(
      String function,
      boolean distinct,
      boolean ignoreNulls,
      OptionalInt filter,
      WindowFrame frame) {
    boolean ranks = function.endsWith("rank") || function.equals("row_number");
    DataType result = function.equals("sum") ? DataType.decimal(38, 0) : DataType.INT64;
    return new WindowCall(
        function, ranks ? List.of() : List.of(VALUE), distinct, ignoreNulls, filter, frame, result);
  }

  private static boolean isPeer(List<Object> left, List<Object> right) {
    return Objects.equals(left.get(0), right.get(0)) && left.get(1).equals(right.get(1));
  }

  /** The rows of the frame in order. */
  private static List<List<Object>> frame(List<List<Object>> rows, int row, WindowFrame frame) {
    List<List<Object>> members = new ArrayList<>();
    for (int other = 0; other < rows.size(); other++) {
      boolean same = Objects.equals(rows.get(other).get(0), rows.get(row).get(0));
      boolean peer = isPeer(rows.get(other), rows.get(row));
      boolean inside =
          switch (frame.start().edge()) {
                case PRECEDING -> other >= row - count(frame.start());
                default -> true;
              }
              && switch (frame.end().edge()) {
                case FOLLOWING -> other <= row + count(frame.end());
                case CURRENT_ROW -> other <= row || peer;
                default -> true;
              };
      boolean excluded =
          switch (frame.exclusion()) {
            case NO_OTHERS -> false;
            case CURRENT_ROW -> other == row;
            case GROUP -> peer;
            case TIES -> peer && other != row;
          };
      if (same && inside && !excluded) {
        members.add(rows.get(other));
      }
    }
    return members;
  }

  private static long count(Bound bound) {
    return (Long) ((PhysicalExpression.Constant) bound.offset().orElseThrow()).value();
  }

  private static Object reference(List<List<Object>> rows, int row, WindowCall call) {
    int start = row;
    while (start > 0 && Objects.equals(rows.get(start - 1).get(0), rows.get(row).get(0))) {
      start--;
    }
    int peer = row;
    while (peer > start && isPeer(rows.get(peer - 1), rows.get(row))) {
      peer--;
    }
    List<Object> values = new ArrayList<>();
    for (List<Object> member : frame(rows, row, call.frame())) {
      boolean passes = call.filter().isEmpty() || Boolean.TRUE.equals(member.get(3));
      boolean repeated = call.distinct() && values.contains(member.get(2));
      if (passes && !repeated && !(call.ignoreNulls() && member.get(2) == null)) {
        values.add(member.get(2));
      }
    }
    return switch (call.function()) {
      case "row_number" -> row - start + 1L;
      case "rank" -> peer - start + 1L;
      case "lag" -> row == start ? null : rows.get(row - 1).get(2);
      case "first_value" -> values.isEmpty() ? null : values.getFirst();
      case "last_value" -> values.isEmpty() ? null : values.getLast();
      case "count" -> values.stream().filter(Objects::nonNull).count();
      case "sum" ->
          values.stream()
              .filter(Objects::nonNull)
              .map(value -> BigDecimal.valueOf((Long) value))
              .reduce(BigDecimal::add)
              .orElse(null);
      default -> throw new IllegalArgumentException(call.function());
    };
  }

  private static void passes(List<Integer> partition, List<WindowCall> calls) {
    List<List<Object>> rows = rows();
    List<List<Object>> expected = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      List<Object> result = new ArrayList<>(rows.get(row));
      for (WindowCall call : calls) {
        result.add(reference(rows, row, call));
      }
      expected.add(result);
    }
    List<Field> fields = new ArrayList<>(SCHEMA.fields());
    calls.forEach(call -> fields.add(Field.nullable(call.function(), call.resultType())));
    PhysicalPlan.Window plan =
        new PhysicalPlan.Window(
            1,
            new PhysicalPlan.Values(0, SCHEMA, List.of()),
            partition,
            ORDER,
            calls,
            new Schema(fields));
    AggregateKernels kernels = AggregateKernels.discovered();
    List<AggregateKernel> bound = new ArrayList<>();
    calls.forEach(call -> bound.add(WindowEvaluators.kernel(call, kernels)));
    new OperatorHarness(
            "Window",
            SCHEMA,
            rows,
            expected,
            true,
            (task, batches, form, batchRows) -> new WindowOperator(plan, bound))
        .run();
  }

  @Test
  void ranksAndShiftsPass() {
    passes(
        List.of(0),
        List.of(
            call("row_number", false, false, OptionalInt.empty(), WindowFrame.WHOLE),
            call("rank", false, false, OptionalInt.empty(), WindowFrame.WHOLE),
            call("lag", false, false, OptionalInt.empty(), WindowFrame.WHOLE)));
  }

  @Test
  void valuesOfFramesPass() {
    WindowFrame moving = rowFrame(2, 1, WindowFrame.Exclusion.NO_OTHERS);
    WindowFrame others = rowFrame(4, 2, WindowFrame.Exclusion.GROUP);
    passes(
        List.of(0),
        List.of(
            call("first_value", false, true, OptionalInt.empty(), moving),
            call("last_value", false, true, OptionalInt.empty(), others),
            call("first_value", false, false, OptionalInt.empty(), others),
            call("last_value", false, false, OptionalInt.empty(), running())));
  }

  @Test
  void aggregatesOfFramesPass() {
    passes(
        List.of(0),
        List.of(
            call("sum", false, false, OptionalInt.empty(), WindowFrame.WHOLE),
            call("sum", false, false, OptionalInt.empty(), running()),
            call(
                "sum",
                false,
                false,
                OptionalInt.empty(),
                rowFrame(9, 12, WindowFrame.Exclusion.NO_OTHERS)),
            call("count", false, false, OptionalInt.of(3), running()),
            call(
                "sum",
                false,
                false,
                OptionalInt.of(3),
                rowFrame(5, 5, WindowFrame.Exclusion.TIES))));
  }

  @Test
  void distinctAggregatesPass() {
    passes(
        List.of(0),
        List.of(
            call("count", true, false, OptionalInt.empty(), WindowFrame.WHOLE),
            call("sum", true, false, OptionalInt.of(3), running()),
            call(
                "sum",
                true,
                false,
                OptionalInt.empty(),
                rowFrame(6, 3, WindowFrame.Exclusion.CURRENT_ROW))));
  }
}
