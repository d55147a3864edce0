package io.millrace.cluster.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCategory;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Connectors;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.planner.dataframe.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Worker processes killed at chosen moments of a query. */
@Timeout(180)
final class WorkerLossTest {
  private static final Configuration CONFIGURATION =
      Configuration.of(Map.of("memory.bytes", "256m"));
  private static final long WAIT_SECONDS = 90;

  @TempDir Path folder;

  private RootMemory memory;
  private LocalClusterConnection cluster;
  private CoordinatorRunner runner;

  @BeforeEach
  void start() {
    memory = new RootMemory(256L << 20);
    cluster = LocalClusterConnection.start(2, CONFIGURATION, memory.allocator());
    runner = new CoordinatorRunner(cluster, TestQueries.context(memory, CONFIGURATION));
  }

  @AfterEach
  void stop() {
    List<Long> processes = cluster.processIds();
    runner.close();
    memory.close();
    assertFalse(processes.stream().anyMatch(WorkerLossTest::isAlive), "a worker is left");
  }

  @Test
  void aWorkerKilledInMapCostsItsTasksOnly() throws Exception {
    hold();
    PhysicalPlan map =
        TestQueries.apply(
            3,
            TestQueries.spread(2, TestQueries.values(TestQueries.numbers(20))),
            "held",
            TestQueries.held(folder.toString()));
    CompletableFuture<List<Long>> rows = run("map", TestQueries.gather(4, map));
    kill(awaitTasks(1).getFirst());
    release();
    assertEquals(TestQueries.numbers(20), sorted(rows));
  }

  @Test
  void aWorkerKilledInReduceComputesItsMapOutputsAgain() throws Exception {
    hold();
    PhysicalPlan map =
        TestQueries.apply(
            3,
            TestQueries.spread(2, TestQueries.values(TestQueries.numbers(20))),
            "map",
            number -> number + 100);
    PhysicalPlan reduce =
        TestQueries.apply(
            5, TestQueries.spread(4, map), "held", TestQueries.held(folder.toString()));
    CompletableFuture<List<Long>> rows = run("reduce", TestQueries.gather(6, reduce));
    kill(awaitTasks(1).getFirst());
    release();
    assertEquals(
        TestQueries.numbers(20).stream().map(number -> number + 100).toList(), sorted(rows));
  }

  @Test
  void withAllWorkersLostTheQueryFailsClearly() throws Exception {
    hold();
    PhysicalPlan map =
        TestQueries.apply(
            3,
            TestQueries.spread(2, TestQueries.values(TestQueries.numbers(20))),
            "held",
            TestQueries.held(folder.toString()));
    CompletableFuture<List<Long>> rows = run("lost", TestQueries.gather(4, map));
    awaitTasks(1);
    cluster.processIds().forEach(WorkerLossTest::kill);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> rows.get(WAIT_SECONDS, TimeUnit.SECONDS));
    MillraceException error = (MillraceException) failure.getCause();
    assertEquals(ErrorCode.WORKER_LOST, error.code());
    assertEquals(ErrorCategory.EXTERNAL, error.code().category());
    assertTrue(error.getMessage().startsWith("No worker is left"), error.getMessage());
  }

  @Test
  void aWriteWhoseWorkerIsKilledHasEveryRowOnce() throws Exception {
    hold();
    PhysicalPlan rows =
        TestQueries.apply(
            3,
            TestQueries.spread(2, TestQueries.values(TestQueries.numbers(50))),
            "held",
            TestQueries.held(folder.toString()));
    Path target = folder.resolve("written.parquet");
    SinkSpecification specification =
        new SinkSpecification(
            "parquet", target.toString(), WriteMode.CREATE, rows.outputSchema(), Map.of(), "w1");
    ConnectorContext context = TestQueries.context(memory, CONFIGURATION).connectors();
    try (TableSink sink =
        Connectors.discovered().named("parquet").openSink(specification, context)) {
      sink.begin();
      CompletableFuture<List<byte[]>> fragments =
          runWrite(TestQueries.gather(5, new PhysicalPlan.Write(4, rows, specification)));
      kill(awaitTasks(1).getFirst());
      release();
      sink.commit(fragments.get(WAIT_SECONDS, TimeUnit.SECONDS));
    }
    try (Session session = Session.local(CONFIGURATION)) {
      assertEquals(
          List.of(50L, 1225L),
          session
              .sql("SELECT count(*) AS n, CAST(sum(n) AS BIGINT) AS s FROM '" + target + "'")
              .collect()
              .getFirst()
              .values());
    }
  }

  private CompletableFuture<List<byte[]>> runWrite(PhysicalPlan plan) {
    return CompletableFuture.supplyAsync(
        () -> {
          List<byte[]> fragments = new ArrayList<>();
          try (ResultStream stream = runner.run(TestQueries.request("write", plan))) {
            for (Optional<Batch> next = stream.next(); next.isPresent(); next = stream.next()) {
              try (Batch batch = next.get()) {
                for (int row = 0; row < batch.rowCount(); row++) {
                  fragments.add((byte[]) batch.valueAt(0, row));
                }
              }
            }
          }
          return fragments;
        });
  }

  private CompletableFuture<List<Long>> run(String id, PhysicalPlan plan) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (ResultStream stream = runner.run(TestQueries.request(id, plan))) {
            return TestQueries.drain(stream);
          }
        });
  }

  private static List<Long> sorted(CompletableFuture<List<Long>> rows) throws Exception {
    List<Long> sorted = rows.get(WAIT_SECONDS, TimeUnit.SECONDS);
    Collections.sort(sorted);
    return sorted;
  }

  private void hold() throws IOException {
    Files.writeString(folder.resolve("hold"), "");
  }

  private void release() throws IOException {
    Files.delete(folder.resolve("hold"));
  }

  /** Process ids of workers that run the held function, once there are so many. */
  private List<Long> awaitTasks(int count) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (System.nanoTime() < deadline) {
      List<Long> found =
          cluster.processIds().stream()
              .filter(process -> Files.exists(folder.resolve("at-" + process)))
              .toList();
      if (found.size() >= count) {
        return found;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("the tasks did not start");
  }

  private static void kill(long process) {
    ProcessHandle.of(process).ifPresent(ProcessHandle::destroyForcibly);
  }

  private static boolean isAlive(long process) {
    return ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false);
  }
}
