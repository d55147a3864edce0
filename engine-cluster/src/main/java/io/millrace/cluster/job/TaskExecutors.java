package io.millrace.cluster.job;

import io.millrace.core.config.Configuration;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.exec.build.TaskExecutor;

/** Opens executors for queries in this process. */
interface TaskExecutors extends AutoCloseable {

  /** Makes the executors of a worker, whose functions run through the invoker. */
  interface Factory {
    TaskExecutors create(UdfInvoker invoker);
  }

  /** The executor of one query; closed by the caller. */
  TaskExecutor open(String queryId, Configuration configuration, ClassLoader classLoader);

  @Override
  void close();
}
