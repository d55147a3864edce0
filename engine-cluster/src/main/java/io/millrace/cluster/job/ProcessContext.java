package io.millrace.cluster.job;

import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Connectors;
import io.millrace.core.spi.ObjectStores;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.exec.build.ExecutionEnvironment;
import io.millrace.exec.build.TaskExecutor;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What a worker process owns once: its memory, its connectors' context, its threads. */
final class ProcessContext implements AutoCloseable {
  private final Configuration configuration;
  private final RootMemory memory;
  private final ExecutorService blockingWork;

  private ProcessContext(
      Configuration configuration, RootMemory memory, ExecutorService blockingWork) {
    this.configuration = configuration;
    this.memory = memory;
    this.blockingWork = blockingWork;
  }

  static ProcessContext open(Configuration configuration) {
    return new ProcessContext(
        configuration,
        new RootMemory(budgetBytes(configuration)),
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("blocking-", 0).factory()));
  }

  /** The setting, or half of the memory that the JVM may use for buffers. */
  private static long budgetBytes(Configuration configuration) {
    long bytes = configuration.value(Settings.MEMORY_BYTES);
    return bytes > 0 ? bytes : Runtime.getRuntime().maxMemory();
  }

  RootMemory memory() {
    return memory;
  }

  private static ObjectStores stores() {
    return ServiceLoader.load(ObjectStores.class, ObjectStores.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.MISSING_ARTIFACT,
                    "No object stores are on the class path; add io.millrace:engine-exec"));
  }

  /** Executors whose tasks declare so many processors and accelerators to functions. */
  TaskExecutors executors(WorkerId worker, double cpus, double gpus, UdfInvoker invoker) {
    ExecutionEnvironment environment =
        ExecutionEnvironment.open(
            memory,
            new ConnectorContext(memory.allocator(), blockingWork, stores(), configuration),
            Connectors.discovered(),
            new ExecutionEnvironment.UdfSlots(invoker, worker.value(), cpus, gpus),
            configuration);
    return new TaskExecutors() {
      @Override
      public TaskExecutor open(
          String queryId, Configuration queryConfiguration, ClassLoader classLoader) {
        return environment.openQuery(queryId, queryConfiguration, classLoader);
      }

      @Override
      public void close() {
        environment.close();
      }
    };
  }

  /** Frees the memory; fails when some of it is still held. */
  @Override
  public void close() {
    blockingWork.shutdownNow();
    memory.close();
  }
}
