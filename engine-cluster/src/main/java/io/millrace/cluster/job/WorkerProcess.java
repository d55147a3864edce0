package io.millrace.cluster.job;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import io.millrace.core.error.MillraceException;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** A process that is a worker and nothing else, from its start to its end. */
public final class WorkerProcess {

  /**
   * What the command line says.
   *
   * @param name identity in the cluster; empty for a random one
   * @param coordinator where the coordinator listens
   * @param cpus processors to declare; empty for all of the machine
   * @param gpus accelerators to declare
   * @param memoryBytes memory to declare; empty for the process's budget
   * @param host address to bind to and to be known by
   * @param token the secret of the cluster, empty for none
   */
  public record Options(
      String name,
      Endpoint coordinator,
      OptionalDouble cpus,
      double gpus,
      OptionalLong memoryBytes,
      String host,
      String token) {

    /** Without the token, which must not reach a log. */
    @Override
    public String toString() {
      return "worker of " + coordinator;
    }
  }

  private WorkerProcess() {}

  /**
   * Runs until the coordinator is gone or the stop completes.
   *
   * @param onReady told where the worker's data server listens once it gets tasks
   * @param stop completing it ends the worker in good order
   * @throws MillraceException why the worker could not start or go on
   */
  public static void run(
      Options options,
      Configuration given,
      Consumer<Endpoint> onReady,
      CompletableFuture<Void> stop) {
    WorkerId id =
        new WorkerId(
            options.name().isEmpty()
                ? "worker-" + UUID.randomUUID().toString().substring(0, 8)
                : options.name());
    double cpus = options.cpus().orElse(Runtime.getRuntime().availableProcessors());
    Configuration configuration = withThreads(given, cpus);
    try (ScratchFolder folder = ScratchFolder.create("worker", configuration);
        ProcessContext context = ProcessContext.open(configuration);
        Worker worker =
            Worker.start(
                new Worker.Options(
                    id,
                    options.coordinator(),
                    options.host(),
                    ResourceVector.of(
                        cpus,
                        options.gpus(),
                        options.memoryBytes().orElse(context.memory().pool().limitBytes())),
                    options.token(),
                    folder.path(),
                    configuration.value(Settings.CLUSTER_TIMEOUT_MILLIS)),
                context.memory(),
                invoker -> context.executors(id, cpus, options.gpus(), invoker))) {
      onReady.accept(worker.endpoint());
      await(worker.ended(), stop);
    }
  }

  /** As many operator threads as processors are offered, unless a setting says otherwise. */
  private static Configuration withThreads(Configuration configuration, double cpus) {
    return configuration.value(Settings.THREADS) > 0
        ? configuration
        : configuration.with(Settings.THREADS, (int) Math.max(1, Math.ceil(cpus)));
  }

  private static void await(CompletableFuture<ErrorInfo> ended, CompletableFuture<Void> stop) {
    try {
      CompletableFuture.anyOf(ended, stop).get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MillraceException(ErrorCode.CANCELLED, "The worker was stopped", interrupted);
    } catch (ExecutionException failure) {
      throw MillraceException.of(failure);
    }
    if (ended.isDone() && !stop.isDone()) {
      throw new MillraceException(ended.join(), null);
    }
  }
}
