package io.millrace.exec.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.MemoryPool;
import io.millrace.core.memory.Reservation;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Puts one operator through what can happen to it: every form of batch and several batch sizes, a
 * slow consumer, a revocation before every step, an end at every step, no free memory for a while
 * or for good. After each run nothing may be left allocated or reserved.
 */
public final class OperatorHarness {
  private static final int[] BATCH_ROWS = {1, 7, 1024};
  private static final long POOL_BYTES = 1L << 30;
  private static final int CANCEL_STEPS_LIMIT = 30;

  /** What is tested. */
  public interface Subject {
    /** The operator, with what it needs (bridges, tables) made in the task. */
    Operator create(TaskContext task, BatchGenerators batches, BatchForm form, int batchRows);
  }

  private final String name;
  private final Schema inputSchema;
  private final List<List<Object>> rows;
  private final List<List<Object>> expected;
  private final boolean ordered;
  private final Subject subject;

  /**
   * @param rows the input
   * @param expected the output
   * @param ordered whether the output's order matters
   */
  public OperatorHarness(
      String name,
      Schema inputSchema,
      List<List<Object>> rows,
      List<List<Object>> expected,
      boolean ordered,
      Subject subject) {
    this.name = name;
    this.inputSchema = inputSchema;
    this.rows = rows;
    this.expected = BatchRows.of(expected);
    this.ordered = ordered;
    this.subject = subject;
  }

  /** Runs everything and writes one line to target/operator-harness.txt. */
  public void run() {
    int runs = 0;
    for (BatchForm form : BatchForm.values()) {
      for (int batchRows : BATCH_ROWS) {
        runs += runAll(form, batchRows);
      }
    }
    report(
        name
            + ": passed "
            + runs
            + " runs over "
            + BatchForm.values().length
            + " forms and batches of 1, 7, 1024 rows: results, slow consumer, revoke at every"
            + " step, cancel at every step, memory late, no memory");
  }

  private int runAll(BatchForm form, int batchRows) {
    String where = name + " " + form + " batches of " + batchRows;
    int steps = 0;
    List<Mode> modes = List.of(Mode.PLAIN, Mode.SLOW_CONSUMER, Mode.REVOKE, Mode.LATE_MEMORY);
    for (Mode mode : modes) {
      try (Run run = new Run(form, batchRows, mode)) {
        run.drive(Integer.MAX_VALUE);
        check(run.output, where + " " + mode);
        steps = Math.max(steps, run.steps);
      }
    }
    int stride = Math.max(1, steps / CANCEL_STEPS_LIMIT);
    int runs = modes.size();
    // Long runs are ended at some steps only, at others in every form.
    for (int step = form.ordinal() % stride; step <= steps; step += stride) {
      try (Run run = new Run(form, batchRows, Mode.PLAIN)) {
        run.drive(step);
      }
      runs++;
    }
    withoutMemory(form, batchRows, where);
    return runs + 1;
  }

  private void check(List<List<Object>> output, String where) {
    if (ordered) {
      assertEquals(expected, output, where);
    } else {
      assertEquals(sorted(expected), sorted(output), where);
    }
  }

  private static List<List<Object>> sorted(List<List<Object>> rows) {
    List<List<Object>> copy = new ArrayList<>(rows);
    copy.sort(Comparator.comparing(String::valueOf));
    return copy;
  }

  private void withoutMemory(BatchForm form, int batchRows, String where) {
    try (Run run = new Run(form, batchRows, Mode.NO_MEMORY)) {
      run.drive(Integer.MAX_VALUE);
      check(run.output, where);
    } catch (MillraceException failure) {
      assertEquals(ErrorCode.MEMORY_EXHAUSTED, failure.code(), where + ": " + failure);
      assertEquals(
          name + "-1", failure.info().operator().orElse("no operator"), where + ": " + failure);
      assertTrue(failure.getMessage().contains("--memory"), failure.getMessage());
    }
  }

  private static synchronized void report(String line) {
    try {
      Path file = Path.of("target", "operator-harness.txt");
      Files.createDirectories(file.getParent());
      Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** What else happens during a run. */
  private enum Mode {
    PLAIN,
    /** The consumer takes a while before it wants the next batch. */
    SLOW_CONSUMER,
    /** A revocation before every step. */
    REVOKE,
    /** Someone holds all memory until the operator has waited for it. */
    LATE_MEMORY,
    /** There is none, ever. */
    NO_MEMORY
  }

  /** One operator, driven by hand. */
  private final class Run implements AutoCloseable {
    private final Mode mode;
    private final RootMemory memory;
    private final TaskContext task;
    private final Reservation hog;
    private final BatchGenerators generators;
    private final Deque<Batch> inputs = new ArrayDeque<>();
    private final DriverStage stage;
    private final List<List<Object>> output = new ArrayList<>();
    private final Executor blockingWork = work -> Thread.ofVirtual().start(work);
    private int steps;

    Run(BatchForm form, int batchRows, Mode mode) {
      this.mode = mode == Mode.NO_MEMORY ? Mode.PLAIN : mode;
      this.memory =
          new RootMemory(
              mode == Mode.NO_MEMORY ? new MemoryPool(8, 50) : new MemoryPool(POOL_BYTES, 20_000));
      Configuration configuration =
          Configuration.DEFAULTS
              .with(Settings.BATCH_ROWS, Math.max(2, batchRows))
              .with(Settings.FETCH_ROWS, 10);
      this.task = new TaskContext(0, memory.openQuery("harness"), configuration, blockingWork);
      this.generators = new BatchGenerators(42, task.openScope("inputs").allocator());
      inputs.addAll(generators.batches(inputSchema, rows, batchRows, form));
      this.hog = memory.pool().openReservation("hog", RevocableOwner.NONE);
      this.stage =
          new DriverStage(subject.create(task, generators, form, batchRows), 1, name, () -> {});
      stage.open(task);
      if (mode == Mode.LATE_MEMORY) {
        long free = memory.pool().limitBytes() - memory.pool().reservedBytes();
        assertTrue(hog.tryReserve(free));
      }
    }

    /** Drives the operator to its end, or until so many steps. */
    void drive(int stepLimit) {
      while (steps < stepLimit) {
        steps++;
        if (mode == Mode.REVOKE) {
          revoke();
        }
        switch (stage.advance()) {
          case Step.NeedInput needInput -> feed();
          case Step.Output given -> take(given.batch());
          case Step.Blocked blocked -> await(blocked);
          case Step.Finished finished -> {
            return;
          }
        }
      }
    }

    private void feed() {
      Batch next = inputs.peek();
      if (next == null) {
        stage.noMoreInput();
        return;
      }
      long bytes = next.retainedBytes();
      Step.Blocked blocked = stage.reserveInput(bytes);
      while (blocked != null) {
        await(blocked);
        blocked = stage.reserveInput(bytes);
      }
      stage.addInput(inputs.poll(), bytes);
    }

    private void take(Batch batch) {
      try (batch) {
        assertTrue(batch.rowCount() > 0, name + " gave a batch without rows");
        output.addAll(BatchRows.of(batch));
      }
      if (mode == Mode.SLOW_CONSUMER) {
        await(
            new Step.Blocked(
                CompletableFuture.runAsync(
                    () -> {},
                    CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, blockingWork)),
                Step.BlockReason.DOWNSTREAM));
      }
    }

    private void revoke() {
      stage.requestRevoke(Long.MAX_VALUE);
      CompletableFuture<Void> running = stage.revokeIfAsked();
      if (running != null) {
        await(new Step.Blocked(running, Step.BlockReason.IO));
      }
    }

    private void await(Step.Blocked blocked) {
      if (mode == Mode.LATE_MEMORY && blocked.reason() == Step.BlockReason.MEMORY) {
        hog.close();
      }
      try {
        blocked.ready().get(20, TimeUnit.SECONDS);
      } catch (java.util.concurrent.ExecutionException failure) {
        throw stage.located(failure);
      } catch (InterruptedException | java.util.concurrent.TimeoutException failure) {
        throw new AssertionError(name + " waits for ever: " + blocked.reason(), failure);
      }
    }

    @Override
    public void close() {
      stage.close();
      stage.close();
      inputs.forEach(Batch::close);
      hog.close();
      task.started();
      try {
        task.completion().get(20, TimeUnit.SECONDS);
      } catch (java.util.concurrent.ExecutionException failure) {
        throw new AssertionError(name + " left something: " + failure.getCause(), failure);
      } catch (InterruptedException | java.util.concurrent.TimeoutException failure) {
        throw new AssertionError(name + " does not end", failure);
      }
      assertEquals(0, memory.pool().reservedBytes(), name + " left reserved bytes");
      memory.close();
    }
  }
}
