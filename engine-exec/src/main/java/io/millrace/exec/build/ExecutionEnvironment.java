package io.millrace.exec.build;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Connectors;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.operator.aggregate.AggregateKernels;
import io.millrace.exec.pipeline.DriverExecutor;
import java.util.ServiceLoader;

/**
 * What all queries of a process share: memory, connectors, kernels and the threads that run
 * drivers. Safe for use by several threads. Closed after its queries; the memory stays its owner's.
 */
public final class ExecutionEnvironment implements AutoCloseable {
  private final RootMemory memory;
  private final ConnectorContext connectorContext;
  private final Connectors connectors;
  private final ExpressionCompiler expressions;
  private final AggregateKernels aggregates;
  private final UdfSlots udfSlots;
  private final DriverExecutor drivers;

  /**
   * Where user-defined functions run.
   *
   * @param invoker runs them; null for the one on the class path, looked up on first use
   * @param worker name of this process in errors
   */
  public record UdfSlots(UdfInvoker invoker, String worker, double cpus, double gpus) {}

  private ExecutionEnvironment(
      RootMemory memory,
      ConnectorContext connectorContext,
      Connectors connectors,
      ExpressionCompiler expressions,
      AggregateKernels aggregates,
      UdfSlots udfSlots,
      DriverExecutor drivers) {
    this.memory = memory;
    this.connectorContext = connectorContext;
    this.connectors = connectors;
    this.expressions = expressions;
    this.aggregates = aggregates;
    this.udfSlots = udfSlots;
    this.drivers = drivers;
  }

  /**
   * Starts the driver threads, as many as {@code threads} says.
   *
   * @param connectors all of the process; connectors allocate from their operator's allocator
   */
  public static ExecutionEnvironment open(
      RootMemory memory,
      ConnectorContext connectorContext,
      Connectors connectors,
      UdfSlots udfSlots,
      Configuration configuration) {
    return open(
        memory,
        connectorContext,
        connectors,
        ExpressionCompiler.discovered(),
        AggregateKernels.discovered(),
        udfSlots,
        configuration);
  }

  /** The same with other kernels than those on the class path. */
  public static ExecutionEnvironment open(
      RootMemory memory,
      ConnectorContext connectorContext,
      Connectors connectors,
      ExpressionCompiler expressions,
      AggregateKernels aggregates,
      UdfSlots udfSlots,
      Configuration configuration) {
    return new ExecutionEnvironment(
        memory,
        connectorContext,
        connectors,
        expressions,
        aggregates,
        udfSlots,
        DriverExecutor.start(threadCount(configuration)));
  }

  /** What the setting {@code threads} means here. */
  public static int threadCount(Configuration configuration) {
    int threads = configuration.value(Settings.THREADS);
    return threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
  }

  public RootMemory memory() {
    return memory;
  }

  public ConnectorContext connectorContext() {
    return connectorContext;
  }

  public Connectors connectors() {
    return connectors;
  }

  public ExpressionCompiler expressions() {
    return expressions;
  }

  public AggregateKernels aggregates() {
    return aggregates;
  }

  public UdfSlots udfSlots() {
    return udfSlots;
  }

  /** The threads that run drivers. */
  public DriverExecutor drivers() {
    return drivers;
  }

  /** The invoker given, else the one on the class path. */
  UdfInvoker udfInvoker() {
    if (udfSlots.invoker() != null) {
      return udfSlots.invoker();
    }
    return ServiceLoader.load(UdfInvoker.class, UdfInvoker.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.MISSING_ARTIFACT,
                    "User-defined functions need the artifact io.millrace:udf on the class path."));
  }

  /**
   * Opens a query in this process.
   *
   * @param queryId unique
   * @param classLoader has the job's classes
   */
  public TaskExecutor openQuery(
      String queryId, Configuration configuration, ClassLoader classLoader) {
    return new QueryTasks(
        this, queryId, configuration, classLoader, memory.openQuery("query-" + queryId));
  }

  /** Ends the driver threads. */
  @Override
  public void close() {
    drivers.close();
  }
}
