package io.millrace.cluster.job;

import io.millrace.cluster.protocol.QuerySubmission;
import io.millrace.cluster.schedule.SchedulePolicy;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A whole cluster for one command: the coordinator in this process and worker processes that end
 * with it, also when it is killed.
 */
final class LocalClusterConnection implements CoordinatorRunner.Connection {
  private static final String LOOPBACK = "127.0.0.1";

  /**
   * Long, for a process that fails is noticed at once: on a crowded machine with two cores the
   * start of two JVMs took 40 s.
   */
  private static final long START_WAIT_MILLIS = 180_000;

  private final ScratchFolder folder;
  private final WorkerChildren children = new WorkerChildren();
  private final Thread shutdownHook = new Thread(children::close, "end workers");
  private Coordinator coordinator;

  private LocalClusterConnection(ScratchFolder folder) {
    this.folder = folder;
  }

  /**
   * Starts the coordinator and the workers; returns when all are registered.
   *
   * @param configuration memory and threads hold for each process; the processors of the machine
   *     are shared out among the workers
   */
  static LocalClusterConnection start(
      int workerCount, Configuration configuration, BufferAllocator allocator) {
    LocalClusterConnection cluster =
        new LocalClusterConnection(ScratchFolder.create("cluster", configuration));
    try {
      cluster.open(workerCount, configuration, allocator);
      return cluster;
    } catch (RuntimeException failure) {
      cluster.close();
      throw failure;
    }
  }

  private void open(int workerCount, Configuration configuration, BufferAllocator allocator) {
    coordinator =
        Coordinator.start(
            new Coordinator.Options(
                LOOPBACK, 0, "", "", SchedulePolicy.fixedWorkers(), folder.path()),
            allocator);
    Runtime.getRuntime().addShutdownHook(shutdownHook);
    children.start(
        workerCount,
        coordinator.endpoint(),
        arguments(workerCount, configuration),
        worker -> coordinator.workerGone(worker, "its process ended"));
    awaitWorkers(workerCount);
  }

  private static List<String> arguments(int workerCount, Configuration configuration) {
    int threads = configuration.value(Settings.THREADS);
    int processors = Runtime.getRuntime().availableProcessors();
    int cpus = threads > 0 ? threads : Math.max(1, processors / workerCount);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--cpus", Integer.toString(cpus)));
    arguments.addAll(List.of("--set", "threads=" + cpus));
    arguments.addAll(
        List.of("--set", Settings.CLUSTER_TIMEOUT_MILLIS.name() + "=" + START_WAIT_MILLIS));
    configuration
        .texts()
        .forEach(
            (name, value) -> {
              if (!name.equals(Settings.THREADS.name())
                  && !name.equals(Settings.CLUSTER_TIMEOUT_MILLIS.name())) {
                arguments.addAll(List.of("--set", name + "=" + value));
              }
            });
    return arguments;
  }

  private void awaitWorkers(int workerCount) {
    boolean complete;
    try {
      complete =
          coordinator
              .roster()
              .await(
                  () ->
                      coordinator.roster().workers().size() == workerCount || !children.allAlive(),
                  START_WAIT_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MillraceException(
          ErrorCode.CANCELLED, "The start of the workers was interrupted", interrupted);
    }
    if (!complete || coordinator.roster().workers().size() < workerCount) {
      throw new MillraceException(
          ErrorCode.WORKER_LOST,
          "Not all worker processes started: "
              + coordinator.roster().workers().size()
              + " of "
              + workerCount
              + ". "
              + children.lastWords());
    }
  }

  /** Process ids of the workers, in order. */
  List<Long> processIds() {
    return children.processIds();
  }

  Coordinator coordinator() {
    return coordinator;
  }

  @Override
  public FrameSource run(QuerySubmission submission) {
    return coordinator.run(submission);
  }

  @Override
  public String offerJar(Path jar) {
    String hash = JarStore.hash(jar);
    if (!coordinator.jars().has(hash)) {
      coordinator.jars().add(hash, jar);
    }
    return hash;
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public int slotCount() {
    return coordinator.roster().slotCount();
  }

  @Override
  public void close() {
    children.close();
    if (coordinator != null) {
      coordinator.close();
    }
    folder.close();
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException endingAlready) {
      // The hook runs or has run.
    }
  }
}
