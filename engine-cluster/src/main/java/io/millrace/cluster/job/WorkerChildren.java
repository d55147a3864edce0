package io.millrace.cluster.job;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Worker processes that live as long as this one wants them. Each holds the other end of a pipe:
 * when this process ends in whatever way, the pipe breaks and they end too.
 */
final class WorkerChildren implements AutoCloseable {
  private static final int KEPT_LINES = 40;
  private static final long STOP_WAIT_SECONDS = 5;

  private record Child(WorkerId id, Process process, Deque<String> lastLines) {}

  private final List<Child> children = new CopyOnWriteArrayList<>();
  private volatile boolean closing;

  /**
   * Starts processes that register with the coordinator.
   *
   * @param arguments further arguments of the worker command
   * @param onExit told of each that ends before it should
   */
  void start(int count, Endpoint coordinator, List<String> arguments, Consumer<WorkerId> onExit) {
    for (int number = 0; number < count; number++) {
      WorkerId id = new WorkerId("worker-" + number);
      Child child = start(id, coordinator, arguments);
      children.add(child);
      child
          .process()
          .onExit()
          .thenRun(
              () -> {
                if (!closing) {
                  onExit.accept(id);
                }
              });
    }
  }

  private static Child start(WorkerId id, Endpoint coordinator, List<String> arguments) {
    List<String> command = ChildJvm.command("worker", "--child");
    command.addAll(List.of("--coordinator", coordinator.toString(), "--name", id.value()));
    command.addAll(arguments);
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.PIPE);
      ChildJvm.tuneAllocator(builder.environment());
      Process process = builder.start();
      Child child = new Child(id, process, new ArrayDeque<>());
      Thread.ofVirtual().name("errors of " + id).start(() -> keepLines(child));
      return child;
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.WORKER_LOST, "Cannot start a worker process: " + command.getFirst(), failure);
    }
  }

  private static void keepLines(Child child) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(child.process().getErrorStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (child.lastLines()) {
          child.lastLines().add(line);
          if (child.lastLines().size() > KEPT_LINES) {
            child.lastLines().removeFirst();
          }
        }
      }
    } catch (IOException ended) {
      // The process is gone.
    }
  }

  /** Whether every process still runs. */
  boolean allAlive() {
    return children.stream().allMatch(child -> child.process().isAlive());
  }

  /** What the processes that have ended said last, for an error message. */
  String lastWords() {
    StringBuilder text = new StringBuilder();
    for (Child child : children) {
      if (!child.process().isAlive()) {
        text.append(child.id()).append(" ended with ").append(child.process().exitValue());
        synchronized (child.lastLines()) {
          child.lastLines().forEach(line -> text.append(System.lineSeparator()).append(line));
        }
        text.append(System.lineSeparator());
      }
    }
    return text.toString();
  }

  /** Process ids, in worker order. */
  List<Long> processIds() {
    return children.stream().map(child -> child.process().pid()).toList();
  }

  /** Ends all processes: first by closing their pipe, then by force. */
  @Override
  public void close() {
    closing = true;
    for (Child child : children) {
      try {
        child.process().getOutputStream().close();
      } catch (IOException alreadyGone) {
        // It has ended.
      }
    }
    boolean interrupted = false;
    for (Child child : children) {
      try {
        if (interrupted || !child.process().waitFor(STOP_WAIT_SECONDS, TimeUnit.SECONDS)) {
          child.process().destroyForcibly();
        }
      } catch (InterruptedException again) {
        interrupted = true;
        child.process().destroyForcibly();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
