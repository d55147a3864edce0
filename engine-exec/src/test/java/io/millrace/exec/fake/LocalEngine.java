package io.millrace.exec.fake;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.memory.MemoryPool;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Connectors;
import io.millrace.core.spi.QueryRequest;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.exec.build.ExecutionEnvironment;
import io.millrace.exec.local.LocalRunner;
import io.millrace.exec.operator.aggregate.AggregateKernels;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A local runner over fakes; closing it checks that nothing is left in memory. */
public final class LocalEngine implements AutoCloseable {
  private final RootMemory memory;
  private final LocalRunner runner;
  private final Configuration configuration;
  private final AtomicInteger queries = new AtomicInteger();

  public LocalEngine(
      int threads, int batchRows, MemoryPool pool, UdfInvoker invoker, Connector connector) {
    this.memory = new RootMemory(pool);
    this.configuration =
        Configuration.DEFAULTS
            .with(Settings.THREADS, threads)
            .with(Settings.BATCH_ROWS, batchRows)
            .with(Settings.QUEUE_BYTES, 16_384L);
    this.runner =
        new LocalRunner(
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
                new ExecutionEnvironment.UdfSlots(invoker, "local", threads, 0),
                configuration));
  }

  public static LocalEngine of(int threads, Connector connector) {
    return new LocalEngine(threads, 16, new MemoryPool(1L << 30), null, connector);
  }

  public LocalRunner runner() {
    return runner;
  }

  public MemoryPool pool() {
    return memory.pool();
  }

  public ResultStream start(PhysicalPlan plan) {
    return runner.run(
        new QueryRequest(
            "q" + queries.incrementAndGet(),
            plan,
            configuration,
            LocalEngine.class.getClassLoader()));
  }

  /** All rows of a plan. */
  public List<List<Object>> rows(PhysicalPlan plan) {
    try (ResultStream stream = start(plan)) {
      return rows(stream);
    }
  }

  /** The rows left in a stream. */
  public static List<List<Object>> rows(ResultStream stream) {
    List<List<Object>> rows = new ArrayList<>();
    for (Optional<Batch> next = stream.next(); next.isPresent(); next = stream.next()) {
      try (Batch batch = next.get()) {
        rows.addAll(BatchRows.of(batch));
      }
    }
    return rows;
  }

  @Override
  public void close() {
    runner.close();
    memory.close();
  }
}
