package io.millrace.cluster.job;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.schedule.SchedulePolicy;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RootMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** A process that is a coordinator and nothing else, from its start to its end. */
public final class CoordinatorProcess {
  /** Frames on their way from a worker to a client are all that it holds. */
  private static final long BUFFER_BYTES = 1L << 30;

  private CoordinatorProcess() {}

  /**
   * Runs until the stop completes.
   *
   * @param tokenFile file with the secret that workers and clients must show, empty for none
   * @param onReady told where it listens once it takes work
   */
  public static void run(
      String host,
      int port,
      String tokenFile,
      Configuration configuration,
      Consumer<Endpoint> onReady,
      CompletableFuture<Void> stop) {
    try (ScratchFolder folder = ScratchFolder.create("coordinator", configuration);
        RootMemory memory = new RootMemory(BUFFER_BYTES);
        Coordinator coordinator =
            Coordinator.start(
                new Coordinator.Options(
                    host,
                    port,
                    Tokens.read(tokenFile),
                    tokenFile,
                    SchedulePolicy.standard(),
                    folder.path()),
                memory.allocator())) {
      onReady.accept(coordinator.endpoint());
      stop.get();
    } catch (InterruptedException interrupted) {
      // A stop as well.
      Thread.currentThread().interrupt();
    } catch (ExecutionException impossible) {
      throw new MillraceException(
          ErrorCode.INTERNAL_ERROR, "The wait for the end failed", impossible);
    }
  }
}
