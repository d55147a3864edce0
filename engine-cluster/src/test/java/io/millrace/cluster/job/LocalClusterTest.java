package io.millrace.cluster.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ObjectStores;
import io.millrace.core.spi.QueryRequest;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.RunnerProvider;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries on a coordinator in this JVM and two worker JVMs. */
@Timeout(120)
final class LocalClusterTest {
  private static final Schema NUMBERS = Schema.of(Field.nullable("n", DataType.INT64));
  private static final Configuration CONFIGURATION =
      Configuration.of(Map.of("memory.bytes", "256m"));

  private static RootMemory memory;
  private static LocalClusterConnection cluster;
  private static CoordinatorRunner runner;

  @BeforeAll
  static void start() {
    memory = new RootMemory(256L << 20);
    cluster = LocalClusterConnection.start(2, CONFIGURATION, memory.allocator());
    runner = new CoordinatorRunner(cluster, context());
  }

  private static RunnerProvider.RunnerContext context() {
    ObjectStores stores = ServiceLoader.load(ObjectStores.class).findFirst().orElseThrow();
    return new RunnerProvider.RunnerContext(
        new ConnectorContext(memory.allocator(), ForkJoinPool.commonPool(), stores, CONFIGURATION),
        memory,
        CONFIGURATION);
  }

  @AfterAll
  static void stop() {
    List<Long> processes = cluster.processIds();
    runner.close();
    memory.close();
    for (long process : processes) {
      assertFalse(
          ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false),
          "a worker process is left");
    }
  }

  @Test
  void rowsGoThroughRoundRobinToTwoTasksAndBack() {
    List<Long> expected = LongStream.range(0, 1_000).boxed().toList();
    PhysicalPlan spread = exchange(2, values(expected), new Partitioning.RoundRobin());
    List<Long> rows = run("spread", exchange(4, spread, Partitioning.SINGLE));
    Collections.sort(rows);
    assertEquals(expected, rows);
  }

  @Test
  void aQueryWithoutExchangeIsOneTask() {
    assertEquals(List.of(1L, 2L), run("single", values(List.of(1L, 2L))));
  }

  @Test
  void aResultWithoutRowsEnds() {
    assertEquals(List.of(), run("empty", exchange(3, values(List.of()), Partitioning.SINGLE)));
  }

  @Test
  void closingEarlyCancelsAndTheNextQueryRuns() {
    List<Long> many = LongStream.range(0, 50_000).boxed().toList();
    try (ResultStream stream =
        runner.run(request("early", exchange(2, values(many), new Partitioning.RoundRobin())))) {
      Optional<Batch> first = stream.next();
      first.ifPresent(Batch::close);
    }
    assertEquals(List.of(7L), run("after", values(List.of(7L))));
  }

  @Test
  void aSecondQueryOfTheSameIdIsRefused() {
    try (ResultStream stream = runner.run(request("twice", values(List.of(1L))))) {
      MillraceException refused =
          assertThrows(
              MillraceException.class, () -> runner.run(request("twice", values(List.of()))));
      assertEquals(ErrorCode.DUPLICATE_NAME, refused.code());
      stream.next().ifPresent(Batch::close);
    }
  }

  @Test
  void theProfileHasTheOperatorsOfAllTasks() {
    List<Long> numbers = LongStream.range(0, 100).boxed().toList();
    PhysicalPlan plan = exchange(2, values(numbers), new Partitioning.RoundRobin());
    try (ResultStream stream = runner.run(request("profile", plan))) {
      drain(stream);
      assertEquals(
          100,
          stream.profile().operators().stream()
              .filter(operator -> operator.id() == 1)
              .mapToLong(operator -> operator.rowsOut())
              .sum());
      assertTrue(stream.profile().totals().shuffleBytes() > 0);
    }
  }

  private static PhysicalPlan values(List<Long> numbers) {
    return new PhysicalPlan.Values(
        1, NUMBERS, numbers.stream().map(number -> List.<Object>of(number)).toList());
  }

  private static PhysicalPlan exchange(int id, PhysicalPlan input, Partitioning partitioning) {
    return new PhysicalPlan.Exchange(id, input, partitioning);
  }

  private static QueryRequest request(String id, PhysicalPlan plan) {
    return new QueryRequest(
        id, plan, Configuration.DEFAULTS, LocalClusterTest.class.getClassLoader());
  }

  private static List<Long> run(String id, PhysicalPlan plan) {
    try (ResultStream stream = runner.run(request(id, plan))) {
      return drain(stream);
    }
  }

  private static List<Long> drain(ResultStream stream) {
    List<Long> rows = new ArrayList<>();
    for (Optional<Batch> next = stream.next(); next.isPresent(); next = stream.next()) {
      try (Batch batch = next.get()) {
        for (int row = 0; row < batch.rowCount(); row++) {
          rows.add((Long) batch.valueAt(0, row));
        }
      }
    }
    return rows;
  }
}
