package io.millrace.cluster.job;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A submitted pipeline in a process of its own beside the coordinator, as the events that its
 * submitter hears of. It can neither end nor fill the coordinator, and cancelling it is ending its
 * process, which happens when the submitter leaves, also while the job is silent.
 */
final class JobFrames implements FrameSource {
  private static final int PIECE_BYTES = 16_384;

  /** A job that prints faster than its submitter reads waits: a MiB at most is kept. */
  private static final int EVENTS_LIMIT = 64;

  private static final long STOP_WAIT_SECONDS = 10;

  private final Process process;
  private final Deque<JobEvent> events = new ArrayDeque<>();
  private boolean ended;
  private boolean closed;

  private JobFrames(Process process) {
    this.process = process;
  }

  /**
   * Starts a job.
   *
   * @param tokenFile file with the cluster's secret, empty for none
   */
  static JobFrames start(JobRequest job, Path jar, Endpoint coordinator, String tokenFile) {
    List<String> command = ChildJvm.command("run", jar.toString(), "--child");
    command.addAll(List.of("--coordinator", coordinator.toString()));
    if (!tokenFile.isEmpty()) {
      command.addAll(List.of("--token-file", tokenFile));
    }
    job.mainClass().ifPresent(name -> command.addAll(List.of("--class", name)));
    job.settings().forEach((key, value) -> command.addAll(List.of("--set", key + "=" + value)));
    command.add("--");
    command.addAll(job.arguments());
    return of(command);
  }

  /** The output and end of any command. */
  static JobFrames of(List<String> command) {
    try {
      JobFrames job = new JobFrames(new ProcessBuilder(command).start());
      job.watch();
      return job;
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.IO_FAILED, "Cannot start a process for the job", failure);
    }
  }

  private void watch() {
    Thread out = copy(process.getInputStream(), false);
    Thread errors = copy(process.getErrorStream(), true);
    Thread.ofVirtual()
        .name("end of job")
        .start(
            () -> {
              try {
                out.join();
                errors.join();
                put(new JobEvent.Ended(process.waitFor()));
              } catch (InterruptedException impossible) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private Thread copy(InputStream from, boolean toErrors) {
    return Thread.ofVirtual()
        .name(toErrors ? "errors of job" : "output of job")
        .start(
            () -> {
              byte[] piece = new byte[PIECE_BYTES];
              try {
                for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
                  put(new JobEvent.Printed(toErrors, Arrays.copyOf(piece, count)));
                }
              } catch (IOException processGone) {
                // Its end is reported all the same.
              } catch (InterruptedException impossible) {
                Thread.currentThread().interrupt();
              }
            });
  }

  /** Waits for room; what nobody reads any more is dropped, so that the job can end. */
  private synchronized void put(JobEvent event) throws InterruptedException {
    while (!closed && events.size() >= EVENTS_LIMIT) {
      wait();
    }
    if (!closed) {
      events.add(event);
      notifyAll();
    }
  }

  @Override
  public synchronized Optional<byte[]> next() {
    try {
      while (events.isEmpty() && !ended && !closed) {
        wait();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MillraceException(
          ErrorCode.CANCELLED, "The coordinator was shut down", interrupted);
    }
    if (ended || closed) {
      return Optional.empty();
    }
    JobEvent event = events.remove();
    ended = event instanceof JobEvent.Ended;
    notifyAll();
    return Optional.of(event.encode());
  }

  /** Asks the job to end, and ends it by force when it does not; returns at once. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      events.clear();
      notifyAll();
    }
    Thread.ofVirtual().name("stop of job").start(this::endProcess);
  }

  /** The job cleans up when its pipe closes. */
  private void endProcess() {
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

  /** The job's process, for tests. */
  ProcessHandle process() {
    return process.toHandle();
  }
}
