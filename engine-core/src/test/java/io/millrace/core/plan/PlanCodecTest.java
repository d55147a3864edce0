package io.millrace.core.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.batch.IntervalValue;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression.Branch;
import io.millrace.core.plan.PhysicalExpression.Call;
import io.millrace.core.plan.PhysicalExpression.CaseWhen;
import io.millrace.core.plan.PhysicalExpression.Cast;
import io.millrace.core.plan.PhysicalExpression.Coalesce;
import io.millrace.core.plan.PhysicalExpression.Constant;
import io.millrace.core.plan.PhysicalExpression.FieldAccess;
import io.millrace.core.plan.PhysicalExpression.InSet;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.plan.PhysicalExpression.Logical;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import io.millrace.core.udf.UdfOptions;
import io.millrace.core.udf.UdfReference;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PlanCodecTest {
  private static final Schema TABLE =
      Schema.of(
          Field.nullable("id", DataType.INT64),
          Field.nullable("photo", new DataType.Reference(3, "photo", DataType.BINARY)),
          Field.required("name", DataType.STRING));
  private static final SourceReference SOURCE =
      new SourceReference(
          3, "lance", List.of("data/a.lance"), Map.of("version", "7"), Optional.of("7"));
  private static final PhysicalExpression ID = new Input(0, DataType.INT64);
  private static final PhysicalExpression NAME = new Input(2, DataType.STRING);

  private static PhysicalPlan scan() {
    return new PhysicalPlan.Scan(
        1,
        new ScanSpecification(
            SOURCE,
            TABLE,
            List.of(
                new ScanSpecification.ScanColumn("id", TABLE.field(0)),
                new ScanSpecification.ScanColumn("photo", TABLE.field(1)),
                new ScanSpecification.ScanColumn("name", TABLE.field(2))),
            List.of(new Call("gt", List.of(ID, constant(5L)), DataType.BOOLEAN)),
            OptionalLong.of(10)),
        List.of(new Split("0", 100, -1, List.of("host-1"))));
  }

  private static PhysicalExpression constant(Object value) {
    return new Constant(value, DataType.INT64);
  }

  private static PhysicalExpression everyExpression() {
    PhysicalExpression less = new Call("lt", List.of(ID, constant(null)), DataType.BOOLEAN);
    return new CaseWhen(
        List.of(
            new Branch(
                new Logical(
                    false,
                    List.of(
                        less,
                        new InSet(NAME, List.of("a", "b"), true, true),
                        new Logical(true, List.of(less, less)))),
                new Cast(new FieldAccess(ID, 1, DataType.INT32), DataType.INT64, true))),
        Optional.of(new Coalesce(List.of(ID, ID), DataType.INT64)),
        DataType.INT64);
  }

  private static List<PhysicalPlan> everyNode() {
    PhysicalPlan scan = scan();
    List<OrderKey> keys = List.of(new OrderKey(0, true, false), new OrderKey(2, false, true));
    PhysicalPlan fetch =
        new PhysicalPlan.Fetch(
            2,
            scan,
            SOURCE,
            List.of(new FetchColumn(1, "photo", Field.nullable("photo", DataType.BINARY))));
    UdfReference function =
        new UdfReference(
            "embed",
            Optional.of("ab12"),
            new byte[] {1, 2, 3},
            List.of(DataType.BINARY),
            DataType.embedding(DataType.FLOAT32, 4),
            UdfOptions.DEFAULT.withConcurrency(2).withOnError(UdfOptions.OnError.NULL));
    AggregateCall sum =
        new AggregateCall(
            "sum", List.of(0), List.of(DataType.INT64), true, OptionalInt.of(2), DataType.INT64);
    List<PhysicalPlan> nodes = new ArrayList<>();
    nodes.add(fetch);
    nodes.add(new PhysicalPlan.Filter(3, scan, everyExpression()));
    nodes.add(new PhysicalPlan.Project(4, scan, List.of(ID, NAME), TABLE));
    nodes.add(
        new PhysicalPlan.HashJoin(
            5,
            scan,
            scan,
            JoinType.LEFT,
            List.of(0),
            List.of(0),
            List.of(true),
            Optional.of(everyExpression()),
            TABLE.concat(TABLE)));
    nodes.add(
        new PhysicalPlan.Aggregate(
            6, scan, AggregateStep.PARTIAL, List.of(2), List.of(sum), TABLE));
    nodes.add(new PhysicalPlan.Sort(7, scan, keys));
    nodes.add(new PhysicalPlan.TopN(8, scan, keys, 3, 10));
    nodes.add(window(scan, keys));
    nodes.add(new PhysicalPlan.Limit(9, scan, 0, 10));
    nodes.add(new PhysicalPlan.Union(10, List.of(scan, scan), TABLE));
    nodes.add(
        new PhysicalPlan.Expand(20, scan, List.of(List.of(ID), List.of(constant(1L))), TABLE));
    nodes.add(new PhysicalPlan.Unnest(21, scan, List.of(0), List.of(1, 2), true, false, TABLE));
    PhysicalPlan work = new PhysicalPlan.StageInput(25, -1, TABLE);
    nodes.add(new PhysicalPlan.Recursion(24, scan, work, 25, true, TABLE));
    nodes.add(new PhysicalPlan.Sample(22, scan, 0.25, true, OptionalLong.of(7)));
    nodes.add(new PhysicalPlan.Sample(23, scan, 0.5, false, OptionalLong.empty()));
    nodes.add(
        new PhysicalPlan.Udf(
            11, fetch, function, List.of(1), Field.nullable("e", function.resultType())));
    for (Partitioning partitioning :
        List.of(
            new Partitioning.Single(keys),
            new Partitioning.Hash(List.of(0, 2)),
            new Partitioning.Broadcast(),
            new Partitioning.RoundRobin())) {
      nodes.add(new PhysicalPlan.Exchange(12, scan, partitioning));
    }
    nodes.add(new PhysicalPlan.StageInput(13, 4, TABLE));
    nodes.add(
        new PhysicalPlan.Write(
            14,
            scan,
            new SinkSpecification(
                "lance", "out.lance", WriteMode.OVERWRITE, TABLE, Map.of("a", "b"), "w-1")));
    return nodes;
  }

  private static PhysicalPlan window(PhysicalPlan input, List<OrderKey> keys) {
    WindowFrame frame =
        new WindowFrame(
            WindowFrame.Unit.GROUPS,
            new WindowFrame.Bound(WindowFrame.Edge.PRECEDING, Optional.of(constant(2L))),
            WindowFrame.Bound.of(WindowFrame.Edge.CURRENT_ROW),
            WindowFrame.Exclusion.TIES);
    return new PhysicalPlan.Window(
        15,
        input,
        List.of(2),
        keys,
        List.of(
            new WindowCall(
                "sum", List.of(ID), true, false, OptionalInt.of(0), frame, DataType.INT64)),
        TABLE.concat(Schema.of(Field.nullable("sum", DataType.INT64))));
  }

  @Test
  void everyNodeAndExpressionSurvives() {
    for (PhysicalPlan plan : everyNode()) {
      assertEquals(plan, PlanCodec.decode(PlanCodec.encode(plan)));
    }
  }

  @Test
  void everyPermittedNodeIsInTheTest() {
    List<Class<?>> covered = new ArrayList<>(List.of(PhysicalPlan.Scan.class));
    everyNode().forEach(node -> covered.add(node.getClass()));
    covered.add(PhysicalPlan.Values.class); // has a test of its own
    for (Class<?> node : PhysicalPlan.class.getPermittedSubclasses()) {
      assertEquals(true, covered.contains(node), node.getSimpleName());
    }
  }

  @Test
  void constantsOfEveryClassSurvive() {
    List<Object> row =
        Arrays.asList(
            null,
            true,
            (byte) -1,
            (short) 300,
            70_000,
            1L << 40,
            1.5f,
            Double.NaN,
            new BigInteger("18446744073709551615"),
            new BigDecimal("-0.000000000000000001"),
            "naïve 😀",
            UUID.nameUUIDFromBytes(new byte[] {1}),
            LocalDate.of(-1, 1, 1),
            LocalTime.of(23, 59, 59, 999_999_999),
            LocalDateTime.of(1960, 2, 29, 1, 2, 3, 4),
            Instant.ofEpochSecond(-1, 5),
            Duration.ofNanos(-5),
            new IntervalValue(-1, 2, 3),
            List.of(1, "a"),
            Map.of("k", 1));
    List<Field> fields = new ArrayList<>();
    for (int index = 0; index < row.size(); index++) {
      fields.add(Field.nullable("c" + index, DataType.timestamp(TimeUnit.NANOSECOND, "UTC")));
    }
    PhysicalPlan plan = new PhysicalPlan.Values(1, new Schema(fields), List.of(row));
    assertEquals(plan, PlanCodec.decode(PlanCodec.encode(plan)));
    Constant vector = new Constant(new float[] {1, -0.0f}, DataType.embedding(DataType.FLOAT32, 2));
    PhysicalPlan filter = new PhysicalPlan.Filter(1, scan(), vector);
    PhysicalPlan.Filter back = (PhysicalPlan.Filter) PlanCodec.decode(PlanCodec.encode(filter));
    assertArrayEquals(new float[] {1, -0.0f}, (float[]) ((Constant) back.predicate()).value());
  }

  @Test
  void stagesSurvive() {
    StageGraph graph =
        new StageGraph(
            List.of(
                new StageGraph.Stage(
                    0, scan(), new Partitioning.Hash(List.of(0)), List.of(), false),
                new StageGraph.Stage(
                    1,
                    new PhysicalPlan.StageInput(2, 0, TABLE),
                    Partitioning.SINGLE,
                    List.of(0),
                    true)));
    assertEquals(graph, PlanCodec.decodeStages(PlanCodec.encodeStages(graph)));
  }

  @Test
  void anotherVersionIsRefused() {
    byte[] bytes = PlanCodec.encode(scan());
    bytes[7]++;
    MillraceException error = assertThrows(MillraceException.class, () -> PlanCodec.decode(bytes));
    assertEquals(ErrorCode.PLAN_VERSION_MISMATCH, error.code());
  }

  @Test
  void damagedBytesGiveAnErrorAndNothingElse() {
    byte[] whole = PlanCodec.encode(everyNode().get(3));
    Random random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = Arrays.copyOf(whole, 8 + random.nextInt(whole.length - 8));
      bytes[8 + random.nextInt(bytes.length - 7) - 1] = (byte) random.nextInt();
      try {
        PlanCodec.decode(bytes);
      } catch (MillraceException expected) {
        continue;
      }
    }
  }
}
