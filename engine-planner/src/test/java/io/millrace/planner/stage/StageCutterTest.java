package io.millrace.planner.stage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.plan.StageGraph;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StageCutterTest {
  private static final Schema SCHEMA = Schema.of(Field.nullable("a", DataType.INT64));

  private static PhysicalPlan scan(int id) {
    SourceReference source =
        new SourceReference(0, "fake", List.of("t"), Map.of(), Optional.empty());
    ScanSpecification specification =
        new ScanSpecification(
            source,
            SCHEMA,
            List.of(new ScanSpecification.ScanColumn("a", SCHEMA.field(0))),
            List.of(),
            OptionalLong.empty());
    return new PhysicalPlan.Scan(id, specification, List.of());
  }

  private static PhysicalPlan exchange(int id, PhysicalPlan input, Partitioning partitioning) {
    return new PhysicalPlan.Exchange(id, input, partitioning);
  }

  @Test
  void planWithoutExchangeIsOneStage() {
    StageGraph graph = StageCutter.cut(new PhysicalPlan.Limit(1, scan(0), 0, 5));
    assertEquals(1, graph.stages().size());
    assertFalse(graph.resultStage().singleTask());
  }

  @Test
  void valuesRunAsOneTask() {
    StageGraph graph = StageCutter.cut(new PhysicalPlan.Values(0, SCHEMA, List.of(List.of(1L))));
    assertTrue(graph.resultStage().singleTask());
  }

  @Test
  void exchangeBecomesAnInputWithItsId() {
    StageGraph graph =
        StageCutter.cut(new PhysicalPlan.Limit(2, exchange(1, scan(0), Partitioning.SINGLE), 0, 5));
    assertEquals(2, graph.stages().size());
    StageGraph.Stage result = graph.resultStage();
    assertTrue(result.singleTask());
    assertEquals(List.of(0), result.inputs());
    PhysicalPlan.StageInput input =
        assertInstanceOf(PhysicalPlan.StageInput.class, result.root().inputs().getFirst());
    assertEquals(1, input.id());
    assertEquals(0, input.stageId());
    assertEquals(Partitioning.SINGLE, graph.stages().getFirst().output());
  }

  @Test
  void broadcastDoesNotMakeAStageSingle() {
    PhysicalPlan join =
        new PhysicalPlan.HashJoin(
            3,
            scan(0),
            exchange(2, scan(1), new Partitioning.Broadcast()),
            io.millrace.core.plan.JoinType.SEMI,
            List.of(0),
            List.of(0),
            List.of(false),
            Optional.empty(),
            SCHEMA);
    StageGraph graph = StageCutter.cut(join);
    assertEquals(2, graph.stages().size());
    assertFalse(graph.resultStage().singleTask());
  }

  @Test
  void inputsStandBeforeTheirReaders() {
    PhysicalPlan union =
        new PhysicalPlan.Union(
            4,
            List.of(
                exchange(1, scan(0), new Partitioning.RoundRobin()),
                exchange(3, scan(2), new Partitioning.Hash(List.of(0)))),
            SCHEMA);
    StageGraph graph = StageCutter.cut(exchange(5, union, Partitioning.SINGLE));
    assertEquals(4, graph.stages().size());
    for (StageGraph.Stage stage : graph.stages()) {
      assertTrue(stage.inputs().stream().allMatch(input -> input < stage.id()));
    }
    assertEquals(List.of(0, 1), graph.stages().get(2).inputs());
  }
}
