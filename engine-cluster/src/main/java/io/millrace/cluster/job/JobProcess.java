package io.millrace.cluster.job;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A submitted pipeline in a process of its own beside the coordinator: it can neither end nor fill
 * the coordinator, and cancelling it is ending its process.
 */
final class JobProcess {
  private static final int PIECE_BYTES = 16_384;
  private static final long STOP_WAIT_SECONDS = 10;

  private JobProcess() {}

  /**
   * Runs a job to its end; blocks. When the consumer throws, the submitter has left and the job is
   * ended.
   *
   * @param tokenFile file with the cluster's secret, empty for none
   */
  static void run(
      JobRequest job, Path jar, Endpoint coordinator, String tokenFile, Consumer<JobEvent> events) {
    List<String> command = ChildJvm.command("run", jar.toString(), "--child");
    command.addAll(List.of("--coordinator", coordinator.toString()));
    if (!tokenFile.isEmpty()) {
      command.addAll(List.of("--token-file", tokenFile));
    }
    job.mainClass().ifPresent(name -> command.addAll(List.of("--class", name)));
    job.settings().forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
    command.add("--");
    command.addAll(job.arguments());
    Process process = start(command);
    try {
      Consumer<JobEvent> oneAtATime = event -> passOn(event, events);
      CompletableFuture<Void> out = copy(process.getInputStream(), false, oneAtATime);
      CompletableFuture<Void> errors = copy(process.getErrorStream(), true, oneAtATime);
      CompletableFuture.allOf(out, errors).join();
      events.accept(new JobEvent.Ended(process.waitFor()));
    } catch (CompletionException submitterLeft) {
      throw MillraceException.of(submitterLeft);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MillraceException(
          ErrorCode.CANCELLED, "The coordinator was shut down", interrupted);
    } finally {
      end(process);
    }
  }

  private static Process start(List<String> command) {
    try {
      return new ProcessBuilder(command).start();
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.IO_FAILED, "Cannot start a process for the job", failure);
    }
  }

  private static void passOn(JobEvent event, Consumer<JobEvent> events) {
    synchronized (events) {
      events.accept(event);
    }
  }

  private static CompletableFuture<Void> copy(
      InputStream from, boolean errors, Consumer<JobEvent> events) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .name(errors ? "errors of job" : "output of job")
        .start(
            () -> {
              byte[] piece = new byte[PIECE_BYTES];
              try {
                for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
                  events.accept(new JobEvent.Printed(errors, Arrays.copyOf(piece, count)));
                }
                done.complete(null);
              } catch (IOException | RuntimeException failure) {
                done.completeExceptionally(failure);
              }
            });
    return done;
  }

  /** The job cleans up when its pipe closes; then it is ended by force. */
  private static void end(Process process) {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(STOP_WAIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (IOException alreadyGone) {
      process.destroyForcibly();
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
