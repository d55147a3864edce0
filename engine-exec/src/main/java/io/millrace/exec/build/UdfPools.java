package io.millrace.exec.build;

import io.millrace.core.memory.MemoryScope;
import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.spi.UdfPool;
import io.millrace.core.udf.UdfReference;
import io.millrace.exec.operator.transform.SharedUdfPool;
import java.util.HashMap;
import java.util.Map;

/** The pools of one query in this process, each opened on first use. Thread-safe. */
final class UdfPools implements AutoCloseable {
  private final ExecutionEnvironment environment;
  private final String queryId;
  private final ClassLoader classLoader;
  private final MemoryScope memory;

  // Guarded by this.
  private final Map<UdfReference, SharedUdfPool> pools = new HashMap<>();
  private MemoryScope poolMemory;

  UdfPools(
      ExecutionEnvironment environment,
      String queryId,
      ClassLoader classLoader,
      MemoryScope memory) {
    this.environment = environment;
    this.queryId = queryId;
    this.classLoader = classLoader;
    this.memory = memory;
  }

  /** The pool of a function; stays owned by this. */
  synchronized SharedUdfPool pool(UdfReference function) {
    return pools.computeIfAbsent(function, this::open);
  }

  private SharedUdfPool open(UdfReference function) {
    if (poolMemory == null) {
      poolMemory = memory.open("udf");
    }
    ExecutionEnvironment.UdfSlots slots = environment.udfSlots();
    UdfPool pool =
        environment
            .udfInvoker()
            .openPool(
                function,
                new UdfEnvironment(
                    queryId,
                    slots.worker(),
                    classLoader,
                    slots.cpus(),
                    slots.gpus(),
                    poolMemory.allocator()));
    return new SharedUdfPool(pool, poolMemory.allocator());
  }

  /** Closes all pools; no call may be running. */
  @Override
  public synchronized void close() {
    pools.values().forEach(SharedUdfPool::close);
    pools.clear();
    if (poolMemory != null) {
      poolMemory.close();
      poolMemory = null;
    }
  }
}
