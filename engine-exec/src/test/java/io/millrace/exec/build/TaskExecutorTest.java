package io.millrace.exec.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Connectors;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.fake.MemoryConnector;
import io.millrace.exec.fake.RowAggregates;
import io.millrace.exec.fake.RowExpressions;
import io.millrace.exec.operator.aggregate.AggregateKernels;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks of a stage as a cluster runs them: partitioned output, partitioned and sorted inputs. */
@Timeout(60)
class TaskExecutorTest {
  private static final Schema SCHEMA = Schema.of(Field.required("n", DataType.INT64));

  private final RootMemory memory = new RootMemory(1L << 28);
  private final MemoryConnector connector =
      new MemoryConnector(
          SCHEMA,
          IntStream.range(0, 300).mapToObj(row -> List.<Object>of((long) row)).toList(),
          4,
          9);
  private ExecutionEnvironment environment;

  @BeforeEach
  void open() {
    Configuration configuration = Configuration.DEFAULTS.with(Settings.THREADS, 2);
    environment =
        ExecutionEnvironment.open(
            memory,
            new ConnectorContext(
                memory.allocator(),
                work -> Thread.ofVirtual().start(work),
                new SchemeStores(),
                configuration),
            new Connectors(List.of(connector)),
            new RowExpressions(),
            new AggregateKernels(List.of(new RowAggregates())),
            new ExecutionEnvironment.UdfSlots(null, "worker", 1, 0),
            configuration);
  }

  @AfterEach
  void close() {
    environment.close();
    memory.close();
  }

  /** Keeps rows by partition; is not ready now and then. */
  private static final class Partitions implements TaskOutput {
    private final Map<Integer, List<Long>> rows = new HashMap<>();
    private int asked;

    @Override
    public synchronized CompletableFuture<Void> ready() {
      return asked++ % 3 == 0
          ? CompletableFuture.runAsync(() -> {})
          : CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized void add(int partition, Batch batch) {
      try (batch) {
        assertTrue(!batch.hasSelection() && batch.rowCount() > 0);
        List<Long> own = rows.computeIfAbsent(partition, ignored -> new ArrayList<>());
        BatchRows.of(batch).forEach(row -> own.add((Long) row.get(0)));
      }
    }
  }

  private Partitions run(
      PhysicalPlan root, Map<Integer, TaskInput> inputs, Partitioning partitioning, int count) {
    Partitions output = new Partitions();
    try (TaskExecutor query =
        environment.openQuery(
            "query", Configuration.DEFAULTS, TaskExecutorTest.class.getClassLoader())) {
      query
          .start(new TaskRequest(3, 1, "attempt", root, inputs, partitioning, count, output, 2))
          .completion()
          .join();
    }
    return output;
  }

  private PhysicalPlan scan() {
    return new PhysicalPlan.Scan(1, connector.scan(SCHEMA.field(0)), connector.splits());
  }

  @Test
  void hashPartitionsAreDisjointAndComplete() {
    Partitions first = run(scan(), Map.of(), new Partitioning.Hash(List.of(0)), 5);
    Partitions second = run(scan(), Map.of(), new Partitioning.Hash(List.of(0)), 5);
    assertEquals(300, first.rows.values().stream().mapToInt(List::size).sum());
    assertEquals(300, first.rows.values().stream().flatMap(List::stream).distinct().count());
    assertEquals(5, first.rows.size());
    first.rows.forEach(
        (partition, rows) ->
            assertEquals(
                rows.stream().sorted().toList(),
                second.rows.get(partition).stream().sorted().toList()));
  }

  @Test
  void roundRobinUsesAllPartitions() {
    Partitions output = run(scan(), Map.of(), new Partitioning.RoundRobin(), 3);
    assertEquals(3, output.rows.size());
    assertEquals(300, output.rows.values().stream().mapToInt(List::size).sum());
  }

  @Test
  void broadcastIsGivenOnce() {
    Partitions output = run(scan(), Map.of(), new Partitioning.Broadcast(), 1);
    assertEquals(300, output.rows.get(0).size());
  }

  private BatchSource source(long... numbers) {
    Queue<Batch> batches = new ArrayDeque<>();
    BatchGenerators generators = new BatchGenerators(1, memory.allocator());
    for (long number : numbers) {
      batches.add(generators.of(SCHEMA, List.of(List.of(number)), BatchForm.FLAT));
    }
    return new BatchSource() {
      private boolean waited;

      @Override
      public Step poll() {
        waited = !waited;
        if (waited) {
          return new Step.Blocked(CompletableFuture.runAsync(() -> {}), Step.BlockReason.UPSTREAM);
        }
        return batches.isEmpty() ? Step.FINISHED : new Step.Output(batches.poll());
      }

      @Override
      public long readBytes() {
        return 0;
      }

      @Override
      public void close() {
        batches.forEach(Batch::close);
        batches.clear();
      }
    };
  }

  @Test
  void sortedInputsAreMerged() {
    TaskInput input =
        new TaskInput(
            List.of(source(1, 4, 9), source(), source(2, 3, 10, 11), source(5)),
            List.of(new OrderKey(0, false, false)));
    Partitions output =
        run(new PhysicalPlan.StageInput(7, 2, SCHEMA), Map.of(7, input), Partitioning.SINGLE, 1);
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 9L, 10L, 11L), output.rows.get(0));
  }

  @Test
  void inputsAreReadAsTheyCome() {
    TaskInput input = new TaskInput(List.of(source(1, 4, 9), source(2, 3)), List.of());
    Partitions output =
        run(new PhysicalPlan.StageInput(7, 2, SCHEMA), Map.of(7, input), Partitioning.SINGLE, 1);
    assertEquals(List.of(1L, 2L, 3L, 4L, 9L), output.rows.get(0).stream().sorted().toList());
  }
}
