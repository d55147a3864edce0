package io.millrace.cluster.job;

import io.millrace.cluster.protocol.QuerySetup;
import io.millrace.cluster.protocol.StageSetup;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.exec.build.TaskExecutor;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a worker keeps for one query from its first task to its release: settings, classes, stages
 * and the executor that holds memory and function instances.
 */
final class WorkerQuery implements AutoCloseable {
  private final String id;
  private final CoordinatorClient coordinator;
  private final JarStore jars;
  private final TaskExecutors executors;

  // Guarded by this.
  private final Map<Integer, StageSetup> stages = new HashMap<>();
  private Configuration configuration;
  private URLClassLoader classLoader;
  private TaskExecutor executor;
  private boolean closed;

  WorkerQuery(String id, CoordinatorClient coordinator, JarStore jars, TaskExecutors executors) {
    this.id = id;
    this.coordinator = coordinator;
    this.jars = jars;
    this.executors = executors;
  }

  /** The query's executor, opened by the first task; blocks. */
  synchronized TaskExecutor executor() {
    checkOpen();
    if (executor == null) {
      QuerySetup setup = coordinator.query(id);
      configuration = Configuration.of(setup.configuration());
      classLoader = classLoader(setup.jarHashes());
      executor = executors.open(id, configuration, classLoader);
    }
    return executor;
  }

  /** The query's settings; valid after {@link #executor}. */
  synchronized Configuration configuration() {
    return configuration;
  }

  /** What the tasks of a stage share; blocks on first use. */
  synchronized StageSetup stage(int stage) {
    checkOpen();
    return stages.computeIfAbsent(stage, number -> coordinator.stage(id, number));
  }

  private void checkOpen() {
    if (closed) {
      throw new MillraceException(ErrorCode.CANCELLED, "The query has ended: " + id);
    }
  }

  private URLClassLoader classLoader(List<String> hashes) {
    List<URL> urls = new ArrayList<>();
    for (String hash : hashes) {
      try {
        urls.add(coordinator.fetchJar(hash, jars).toUri().toURL());
      } catch (MalformedURLException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), WorkerQuery.class.getClassLoader());
  }

  /** Ends what runs, closes function instances, frees memory; blocks. */
  @Override
  public void close() {
    TaskExecutor open;
    URLClassLoader loader;
    synchronized (this) {
      closed = true;
      open = executor;
      loader = classLoader;
      executor = null;
      classLoader = null;
    }
    if (open != null) {
      open.close();
    }
    if (loader != null) {
      try {
        loader.close();
      } catch (IOException leftOpen) {
        // A file handle until the process ends.
      }
    }
  }
}
