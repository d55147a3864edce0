package io.millrace.cluster.job;

import static io.millrace.cluster.job.TestQueries.drain;
import static io.millrace.cluster.job.TestQueries.gather;
import static io.millrace.cluster.job.TestQueries.numbers;
import static io.millrace.cluster.job.TestQueries.request;
import static io.millrace.cluster.job.TestQueries.spread;
import static io.millrace.cluster.job.TestQueries.values;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.ResultStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Queries on a coordinator in this JVM and two worker JVMs. */
@Timeout(120)
final class LocalClusterTest {
  private static final Configuration CONFIGURATION =
      Configuration.of(Map.of("memory.bytes", "256m"));

  private static RootMemory memory;
  private static LocalClusterConnection cluster;
  private static CoordinatorRunner runner;

  @BeforeAll
  static void start() {
    memory = new RootMemory(256L << 20);
    cluster = LocalClusterConnection.start(2, CONFIGURATION, memory.allocator());
    runner = new CoordinatorRunner(cluster, TestQueries.context(memory, CONFIGURATION));
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
    List<Long> expected = numbers(1_000);
    PhysicalPlan spread = spread(2, values(expected));
    List<Long> rows = run("spread", gather(4, spread));
    Collections.sort(rows);
    assertEquals(expected, rows);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void workersRunWithTheAllocatorThatLanceIsFastWith() throws Exception {
    for (long process : cluster.processIds()) {
      String environment = Files.readString(Path.of("/proc/" + process + "/environ"));
      assertTrue(environment.contains("MALLOC_ARENA_MAX="), environment);
      assertTrue(environment.contains("MALLOC_MMAP_MAX_="), environment);
      assertTrue(environment.contains("MALLOC_TRIM_THRESHOLD_="), environment);
    }
  }

  @Test
  void aQueryWithoutExchangeIsOneTask() {
    assertEquals(List.of(1L, 2L), run("single", values(List.of(1L, 2L))));
  }

  @Test
  void aResultWithoutRowsEnds() {
    assertEquals(List.of(), run("empty", gather(3, values(List.of()))));
  }

  @Test
  void closingEarlyCancelsAndTheNextQueryRuns() {
    List<Long> many = numbers(50_000);
    try (ResultStream stream = runner.run(request("early", spread(2, values(many))))) {
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
    PhysicalPlan plan = spread(2, values(numbers(100)));
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

  @Test
  void aFunctionThatFailsEndsTheQueryWithItsOwnMessage() {
    PhysicalPlan map =
        TestQueries.apply(
            3,
            spread(2, values(numbers(20))),
            "picky",
            number -> {
              if (number == 13) {
                throw new IllegalStateException("thirteen is not welcome");
              }
              return number;
            });
    try (ResultStream stream = runner.run(request("fails", gather(4, map)))) {
      MillraceException error = assertThrows(MillraceException.class, () -> drain(stream));
      assertEquals(ErrorCode.UDF_FAILED, error.code());
      assertTrue(error.getMessage().contains("thirteen is not welcome"), error.getMessage());
      assertEquals("picky", error.info().udf().orElseThrow());
      assertTrue(error.info().worker().isPresent());
    }
  }

  @Test
  void cancellingStopsRunningFunctions(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("hold"), "");
    PhysicalPlan map =
        TestQueries.apply(
            3, spread(2, values(numbers(20))), "held", TestQueries.held(folder.toString()));
    ResultStream stream = runner.run(request("cancel", gather(4, map)));
    while (cluster.processIds().stream()
        .noneMatch(process -> Files.exists(folder.resolve("at-" + process)))) {
      Thread.sleep(20);
    }
    long start = System.nanoTime();
    stream.close();
    long tookMillis = (System.nanoTime() - start) / 1_000_000;
    assertTrue(tookMillis < 20_000, "cancelling took ms: " + tookMillis);
    assertEquals(List.of(5L), run("next", values(List.of(5L))));
  }

  private static List<Long> run(String id, PhysicalPlan plan) {
    try (ResultStream stream = runner.run(request(id, plan))) {
      return drain(stream);
    }
  }
}
