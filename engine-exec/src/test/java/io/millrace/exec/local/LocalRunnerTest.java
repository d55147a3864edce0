package io.millrace.exec.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.MemoryPool;
import io.millrace.core.metrics.OperatorProfile;
import io.millrace.core.plan.AggregateCall;
import io.millrace.core.plan.AggregateStep;
import io.millrace.core.plan.FetchColumn;
import io.millrace.core.plan.JoinType;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.fake.LocalEngine;
import io.millrace.exec.fake.MemoryConnector;
import io.millrace.exec.fake.RowExpressions;
import io.millrace.testkit.BatchRows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole plans in one process, with one thread and several, over a fake connector. */
@Timeout(120)
class LocalRunnerTest {
  /** A loaded machine may pause a spilling thread for seconds; that is no lack of memory. */
  private static final long STALL_MILLIS = 20_000;

  private static final Field ID = Field.required("id", DataType.INT64);
  private static final Field GROUP = Field.nullable("group", DataType.STRING);
  private static final Field BLOB = Field.nullable("blob", DataType.BINARY);
  private static final Field REFERENCE =
      Field.nullable("blob", new DataType.Reference(0, "blob", DataType.BINARY));
  private static final Schema TABLE = Schema.of(ID, GROUP, BLOB);
  private static final int ROWS = 500;

  private static List<List<Object>> table() {
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < ROWS; row++) {
      rows.add(java.util.Arrays.asList(row, row % 7 == 0 ? null : "g" + row % 5, blob(row)));
    }
    return rows;
  }

  private static byte[] blob(long row) {
    return row % 11 == 3 ? null : new byte[] {(byte) row, (byte) (row >>> 8), 3};
  }

  private static MemoryConnector connector() {
    return new MemoryConnector(TABLE, table(), 6, 13);
  }

  private static PhysicalPlan scan(MemoryConnector connector, int id, Field... columns) {
    return new PhysicalPlan.Scan(id, connector.scan(columns), connector.splits());
  }

  private static PhysicalPlan filter(int id, PhysicalPlan input, long below) {
    PhysicalExpression predicate =
        RowExpressions.call(
            "less",
            DataType.BOOLEAN,
            RowExpressions.input(0, DataType.INT64),
            RowExpressions.constant(below, DataType.INT64));
    return new PhysicalPlan.Filter(id, input, predicate);
  }

  private static PhysicalPlan gather(int id, PhysicalPlan input, OrderKey... keys) {
    return new PhysicalPlan.Exchange(id, input, new Partitioning.Single(List.of(keys)));
  }

  private static List<List<Object>> sorted(List<List<Object>> rows) {
    List<List<Object>> copy = new ArrayList<>(rows);
    copy.sort(Comparator.comparing(String::valueOf));
    return copy;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void filtersAScan(int threads) {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      PhysicalPlan plan = gather(3, filter(2, scan(connector, 1, ID, GROUP), 100));
      List<List<Object>> expected =
          table().stream()
              .filter(row -> (long) row.get(0) < 100)
              .map(row -> row.subList(0, 2))
              .toList();
      assertEquals(sorted(expected), sorted(engine.rows(plan)));
    }
    assertEquals(0, connector.openSources());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void aggregatesInTwoLevels(int threads) {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      Schema states = Schema.of(GROUP, Field.nullable("sum", DataType.INT64));
      PhysicalPlan partial =
          new PhysicalPlan.Aggregate(
              2,
              scan(connector, 1, ID, GROUP),
              AggregateStep.PARTIAL,
              List.of(1),
              List.of(sum(0)),
              states);
      PhysicalPlan exchange =
          new PhysicalPlan.Exchange(3, partial, new Partitioning.Hash(List.of(0)));
      PhysicalPlan last =
          new PhysicalPlan.Aggregate(
              4, exchange, AggregateStep.FINAL, List.of(0), List.of(sum(1)), states);
      PhysicalPlan plan = gather(6, order(5, last), new OrderKey(0, false, true));
      Map<String, Long> sums = new TreeMap<>();
      table()
          .forEach(
              row ->
                  sums.merge(
                      row.get(1) == null ? "" : (String) row.get(1), (Long) row.get(0), Long::sum));
      List<List<Object>> expected = new ArrayList<>();
      sums.forEach(
          (key, total) -> expected.add(java.util.Arrays.asList(key.isEmpty() ? null : key, total)));
      assertEquals(expected, engine.rows(plan));
    }
  }

  private static PhysicalPlan order(int id, PhysicalPlan input) {
    return new PhysicalPlan.Sort(id, input, List.of(new OrderKey(0, false, true)));
  }

  private static AggregateCall sum(int column) {
    return new AggregateCall(
        "sum",
        List.of(column),
        List.of(DataType.INT64),
        false,
        OptionalInt.empty(),
        DataType.INT64);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void theGlobalGroupOverNoRowsIsOneRow(int threads) {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      Schema states = Schema.of(Field.nullable("sum", DataType.INT64));
      PhysicalPlan partial =
          new PhysicalPlan.Aggregate(
              3,
              filter(2, scan(connector, 1, ID), -1),
              AggregateStep.PARTIAL,
              List.of(),
              List.of(sum(0)),
              states);
      PhysicalPlan plan =
          new PhysicalPlan.Aggregate(
              5, gather(4, partial), AggregateStep.FINAL, List.of(), List.of(sum(0)), states);
      List<Object> nothing = new ArrayList<>();
      nothing.add(null);
      assertEquals(List.of(nothing), engine.rows(plan));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void joinsOverElidedExchanges(int threads) {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      for (JoinType type : JoinType.values()) {
        assertEquals(sorted(joined(type)), sorted(engine.rows(join(connector, type))), type.name());
      }
    }
  }

  private static PhysicalPlan join(MemoryConnector connector, JoinType type) {
    Partitioning byId = new Partitioning.Hash(List.of(0));
    PhysicalPlan probe = new PhysicalPlan.Exchange(3, filter(2, scan(connector, 1, ID), 300), byId);
    PhysicalPlan buildInput =
        new PhysicalPlan.Project(
            6,
            filter(5, scan(connector, 4, ID), 300),
            List.of(
                RowExpressions.call(
                    "plus",
                    DataType.INT64,
                    RowExpressions.input(0, DataType.INT64),
                    RowExpressions.constant(200L, DataType.INT64))),
            Schema.of(Field.nullable("key", DataType.INT64)));
    PhysicalPlan build = new PhysicalPlan.Exchange(7, buildInput, byId);
    boolean probeOnly = type == JoinType.SEMI || type == JoinType.ANTI;
    Schema output =
        probeOnly
            ? Schema.of(ID)
            : Schema.of(ID.withNullable(true), Field.nullable("key", DataType.INT64));
    return gather(
        9,
        new PhysicalPlan.HashJoin(
            8,
            probe,
            build,
            type,
            List.of(0),
            List.of(0),
            List.of(false),
            Optional.empty(),
            output));
  }

  /** Probe keys 0–299, build keys 200–499. */
  private static List<List<Object>> joined(JoinType type) {
    List<List<Object>> rows = new ArrayList<>();
    for (long key = 0; key < 500; key++) {
      boolean left = key < 300;
      boolean right = key >= 200;
      boolean kept =
          switch (type) {
            case INNER, SEMI -> left && right;
            case LEFT -> left;
            case RIGHT -> right;
            case FULL -> true;
            case ANTI -> left && !right;
          };
      if (kept && (type == JoinType.SEMI || type == JoinType.ANTI)) {
        rows.add(List.of(key));
      } else if (kept) {
        rows.add(java.util.Arrays.asList(left ? key : null, right ? key : null));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void mergesSortedPartitions(int threads) {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      OrderKey descending = new OrderKey(0, true, false);
      PhysicalPlan sort = new PhysicalPlan.Sort(2, scan(connector, 1, ID), List.of(descending));
      PhysicalPlan plan = new PhysicalPlan.Limit(4, gather(3, sort, descending), 5, 90);
      List<List<Object>> expected = new ArrayList<>();
      for (long row = ROWS - 6; row > ROWS - 96; row--) {
        expected.add(List.of(row));
      }
      assertEquals(expected, engine.rows(plan));
    }
    assertEquals(0, connector.openSources());
  }

  @Test
  void aLimitStopsItsSource() {
    MemoryConnector connector = new MemoryConnector(TABLE, table(), 1, 1);
    try (LocalEngine engine = LocalEngine.of(1, connector)) {
      PhysicalPlan plan = new PhysicalPlan.Limit(2, scan(connector, 1, ID), 0, 3);
      assertEquals(3, engine.rows(plan).size());
    }
    assertTrue(connector.batchesRead() < 10, connector.batchesRead() + " batches were read");
    assertEquals(0, connector.openSources());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void fetchesWhatSurvives(int threads) {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      PhysicalPlan fetch =
          new PhysicalPlan.Fetch(
              3,
              filter(2, scan(connector, 1, ID, REFERENCE), 50),
              connector.source(0),
              List.of(new FetchColumn(1, "blob", BLOB)));
      List<List<Object>> expected = new ArrayList<>();
      for (long row = 0; row < 50; row++) {
        expected.add(java.util.Arrays.asList(row, blob(row)));
      }
      try (ResultStream stream = engine.start(gather(4, fetch))) {
        assertEquals(sorted(BatchRows.of(expected)), sorted(LocalEngine.rows(stream)));
        OperatorProfile fetched = profile(stream, 3);
        assertEquals(50, fetched.fetchedRows());
        assertEquals(5_000, fetched.fetchedBytes());
        assertEquals(50, fetched.rowsOut());
      }
    }
  }

  private static OperatorProfile profile(ResultStream stream, int id) {
    return stream.profile().operators().stream()
        .filter(operator -> operator.id() == id)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void unionsInputs(int threads) {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      PhysicalPlan union =
          new PhysicalPlan.Union(
              5,
              List.of(filter(2, scan(connector, 1, ID), 20), filter(4, scan(connector, 3, ID), 30)),
              Schema.of(ID));
      assertEquals(50, engine.rows(gather(6, union)).size());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void writesFragments(int threads) {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      SinkSpecification sink =
          new SinkSpecification(
              "memory", "target", WriteMode.CREATE, Schema.of(ID), Map.of(), "write-1");
      PhysicalPlan plan = new PhysicalPlan.Write(2, scan(connector, 1, ID), sink);
      List<List<Object>> fragments = engine.rows(plan);
      assertEquals(ROWS, fragments.stream().mapToLong(row -> (Long) row.get(1)).sum());
      assertEquals(ROWS, connector.written().size());
      assertEquals(fragments.size(), fragments.stream().distinct().count());
    }
    assertEquals(0, connector.openWriters());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void anErrorNamesItsOperator(int threads) {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      PhysicalExpression broken =
          RowExpressions.call(
              "fail",
              DataType.BOOLEAN,
              RowExpressions.input(0, DataType.INT64),
              RowExpressions.input(0, DataType.INT64));
      PhysicalPlan plan = new PhysicalPlan.Filter(7, scan(connector, 1, ID), broken);
      MillraceException failure = assertThrows(MillraceException.class, () -> engine.rows(plan));
      assertEquals("Filter-7", failure.info().operator().orElseThrow());
      assertEquals(ErrorCode.INTERNAL_ERROR, failure.code());
    }
    assertEquals(0, connector.openSources());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aClosedStreamStopsEverything(int threads) {
    MemoryConnector connector = new MemoryConnector(TABLE, table(), 6, 1);
    try (LocalEngine engine = LocalEngine.of(threads, connector)) {
      ResultStream stream = engine.start(gather(2, scan(connector, 1, ID)));
      stream.next().orElseThrow().close();
      stream.close();
      assertEquals(0, connector.openSources());
      assertEquals(0, engine.pool().reservedBytes());
      stream.close();
    }
  }

  @Test
  void aResultBatchOutlivesItsQuery() {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(2, connector)) {
      Batch kept;
      try (ResultStream stream = engine.start(scan(connector, 1, ID, GROUP))) {
        kept = stream.next().orElseThrow();
      }
      try (kept) {
        assertTrue(kept.rowCount() > 0);
        assertEquals(2, BatchRows.of(kept).get(0).size());
      }
    }
  }

  @Test
  void anInterruptCancels() throws InterruptedException {
    MemoryConnector connector = new MemoryConnector(TABLE, table(), 1, 1);
    try (LocalEngine engine = LocalEngine.of(1, connector)) {
      List<Throwable> seen = new ArrayList<>();
      Thread reader =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                try (ResultStream stream = engine.start(order(2, scan(connector, 1, ID)))) {
                  LocalEngine.rows(stream);
                } catch (MillraceException failure) {
                  seen.add(failure);
                }
              });
      reader.start();
      reader.join();
      assertEquals(1, seen.size());
      assertEquals(ErrorCode.CANCELLED, ((MillraceException) seen.get(0)).code());
    }
    assertEquals(0, connector.openSources());
  }

  @Test
  void tooLittleMemoryIsSaidWithOperatorAndSetting() {
    MemoryConnector connector = connector();
    try (LocalEngine engine =
        new LocalEngine(2, 16, new MemoryPool(12_000, 200), null, connector)) {
      PhysicalPlan plan = join(connector, JoinType.INNER);
      MillraceException failure = assertThrows(MillraceException.class, () -> engine.rows(plan));
      assertEquals(ErrorCode.MEMORY_EXHAUSTED, failure.code());
      assertTrue(failure.getMessage().contains("--memory"), failure.getMessage());
      assertTrue(failure.info().operator().isPresent());
    }
    assertEquals(0, connector.openSources());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aSortLargerThanMemorySpills(int threads) {
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < 20_000; row++) {
      rows.add(java.util.Arrays.asList(row * 7919 % 20_000, "group " + row % 10, null));
    }
    MemoryConnector connector = new MemoryConnector(TABLE, rows, 4, 250);
    try (LocalEngine engine =
        new LocalEngine(threads, 256, new MemoryPool(600_000, STALL_MILLIS), null, connector)) {
      PhysicalPlan sort = order(2, scan(connector, 1, ID, GROUP));
      OrderKey ascending = new OrderKey(0, false, true);
      try (ResultStream stream = engine.start(gather(3, sort, ascending))) {
        List<List<Object>> output = LocalEngine.rows(stream);
        assertEquals(20_000, output.size());
        for (int row = 0; row < output.size(); row++) {
          assertEquals((long) row, output.get(row).get(0));
        }
        assertTrue(profile(stream, 2).spillBytes() > 0, "nothing was spilled");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void anAggregationLargerThanMemorySpills(int threads) {
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < 24_000; row++) {
      rows.add(java.util.Arrays.asList(row * 7919 % 8_000, "group " + row % 10, null));
    }
    MemoryConnector connector = new MemoryConnector(TABLE, rows, 4, 250);
    try (LocalEngine engine =
        new LocalEngine(threads, 256, new MemoryPool(250_000, STALL_MILLIS), null, connector)) {
      PhysicalPlan aggregate =
          new PhysicalPlan.Aggregate(
              2,
              scan(connector, 1, ID),
              AggregateStep.SINGLE,
              List.of(0),
              List.of(sum(0)),
              Schema.of(ID, Field.nullable("sum", DataType.INT64)));
      try (ResultStream stream = engine.start(gather(3, aggregate))) {
        List<List<Object>> output = LocalEngine.rows(stream);
        assertEquals(8_000, output.stream().map(row -> row.get(0)).distinct().count());
        assertEquals(8_000, output.size());
        output.forEach(row -> assertEquals(3 * (Long) row.get(0), row.get(1)));
        assertTrue(profile(stream, 2).spillBytes() > 0, "nothing was spilled");
      }
    }
  }

  @Test
  void manyQueriesRunSideBySide() throws InterruptedException {
    MemoryConnector connector = connector();
    try (LocalEngine engine = LocalEngine.of(2, connector)) {
      List<Thread> clients = new ArrayList<>();
      List<Integer> counts = java.util.Collections.synchronizedList(new ArrayList<>());
      for (int client = 0; client < 8; client++) {
        clients.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int run = 0; run < 5; run++) {
                        counts.add(engine.rows(join(connector, JoinType.INNER)).size());
                      }
                    }));
      }
      for (Thread client : clients) {
        client.join();
      }
      assertEquals(java.util.Collections.nCopies(40, 100), counts);
    }
  }
}
