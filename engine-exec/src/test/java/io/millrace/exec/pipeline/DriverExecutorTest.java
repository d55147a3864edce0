package io.millrace.exec.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.Reservation;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers on their threads: turns, wake-ups, ends by success, error and cancellation. */
@Timeout(120)
class DriverExecutorTest {
  private static final Schema SCHEMA = Schema.of(Field.required("n", DataType.INT64));

  private final RootMemory memory = new RootMemory(1L << 28);
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong rows = new AtomicLong();
  private TaskContext task;

  @BeforeEach
  void openTask() {
    task =
        new TaskContext(
            0,
            memory.openQuery("query"),
            Configuration.DEFAULTS,
            work -> Thread.ofVirtual().start(work));
  }

  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, open.get(), "stages were not closed");
    assertEquals(0, memory.pool().reservedBytes());
    memory.close();
  }

  /** Blocks before each of its batches, on futures completed from other threads at once or soon. */
  private final class Source implements SourceOperator {
    private final Random random;
    private final int batches;
    private OperatorContext context;
    private int given;
    private boolean blocked;
    private boolean isOpen;

    Source(int seed, int batches) {
      this.random = new Random(seed);
      this.batches = batches;
    }

    @Override
    public Schema outputSchema() {
      return SCHEMA;
    }

    @Override
    public void open(OperatorContext operatorContext) {
      context = operatorContext;
      isOpen = true;
      open.incrementAndGet();
    }

    @Override
    public Step advance() {
      if (given == batches) {
        return Step.FINISHED;
      }
      blocked = !blocked;
      if (blocked) {
        CompletableFuture<Void> ready = new CompletableFuture<>();
        if (random.nextBoolean()) {
          Thread.ofVirtual().start(() -> ready.complete(null));
        } else {
          ready.complete(null);
        }
        return new Step.Blocked(ready, Step.BlockReason.IO);
      }
      given++;
      return new Step.Output(
          new BatchGenerators(1, context.allocator())
              .of(SCHEMA, List.of(List.of(1L)), BatchForm.FLAT));
    }

    @Override
    public void close() {
      if (isOpen) {
        isOpen = false;
        open.decrementAndGet();
      }
    }
  }

  /** Counts rows; fails, or has enough, after so many. */
  private final class Sink implements SinkOperator {
    private final int failAfter;
    private final int enough;
    private int count;
    private boolean ended;
    private boolean isOpen;

    Sink(int failAfter, int enough) {
      this.failAfter = failAfter;
      this.enough = enough;
    }

    @Override
    public void open(OperatorContext context) {
      isOpen = true;
      open.incrementAndGet();
    }

    @Override
    public void addInput(Batch input) {
      count += input.rowCount();
      rows.addAndGet(input.rowCount());
      input.close();
    }

    @Override
    public void noMoreInput() {
      ended = true;
    }

    @Override
    public Step advance() {
      if (count >= failAfter) {
        throw new IllegalStateException("the sink broke");
      }
      return ended || count >= enough ? Step.FINISHED : Step.NEED_INPUT;
    }

    @Override
    public void close() {
      if (isOpen) {
        isOpen = false;
        open.decrementAndGet();
      }
    }
  }

  private Pipeline pipeline(int drivers, int batches, int failAfter, int enough) {
    return new Pipeline(
        OperatorFactory.of(1, "Source", driver -> new Source(driver, batches)),
        List.of(),
        OperatorFactory.of(2, "Sink", driver -> new Sink(failAfter, enough)),
        drivers);
  }

  private void run(int threads, Pipeline pipeline) {
    try (DriverExecutor executor = DriverExecutor.start(threads)) {
      executor.submit(List.of(pipeline), task);
      task.started();
      task.completion().join();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void noWakeUpIsLost(int threads) {
    run(threads, pipeline(40, 300, Integer.MAX_VALUE, Integer.MAX_VALUE));
    assertEquals(12_000, rows.get());
    assertEquals(12_000, task.profile().operators().get(0).rowsOut());
    assertEquals(12_000, task.profile().operators().get(1).rowsIn());
  }

  @Test
  void aSatisfiedSinkStopsItsSource() {
    run(2, pipeline(3, Integer.MAX_VALUE, Integer.MAX_VALUE, 5));
    assertEquals(15, rows.get());
  }

  @Test
  void anErrorEndsAllDriversAndNamesItsStage() {
    CompletionException failure =
        assertThrows(
            CompletionException.class,
            () -> run(2, pipeline(4, Integer.MAX_VALUE, 50, Integer.MAX_VALUE)));
    MillraceException error = (MillraceException) failure.getCause();
    assertEquals(ErrorCode.INTERNAL_ERROR, error.code());
    assertEquals("Sink-2", error.info().operator().orElseThrow());
    assertTrue(error.getMessage().contains("the sink broke"));
  }

  @Test
  void aCancellationEndsDriversThatWait() {
    SourceOperator never =
        new SourceOperator() {
          @Override
          public Schema outputSchema() {
            return SCHEMA;
          }

          @Override
          public void open(OperatorContext context) {}

          @Override
          public Step advance() {
            return new Step.Blocked(new CompletableFuture<>(), Step.BlockReason.IO);
          }

          @Override
          public void close() {}
        };
    Pipeline pipeline =
        new Pipeline(
            OperatorFactory.of(1, "Source", driver -> never),
            List.of(),
            OperatorFactory.of(2, "Sink", driver -> new Sink(99, 99)),
            3);
    try (DriverExecutor executor = DriverExecutor.start(1)) {
      executor.submit(List.of(pipeline), task);
      task.started();
      CompletableFuture.runAsync(task.cancellation()::cancel).join();
      CompletionException failure =
          assertThrows(CompletionException.class, () -> task.completion().join());
      assertEquals(ErrorCode.CANCELLED, ((MillraceException) failure.getCause()).code());
    }
  }

  /** Throws what no signature allows. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** Gives nothing and ends as told. */
  private static SourceOperator source(Supplier<Step> step, Runnable onClose) {
    return new SourceOperator() {
      @Override
      public Schema outputSchema() {
        return SCHEMA;
      }

      @Override
      public void open(OperatorContext context) {}

      @Override
      public Step advance() {
        return step.get();
      }

      @Override
      public void close() {
        onClose.run();
      }
    };
  }

  private Pipeline from(SourceOperator source) {
    return new Pipeline(
        OperatorFactory.of(1, "Source", driver -> source),
        List.of(),
        OperatorFactory.of(2, "Sink", driver -> new Sink(99, 99)),
        1);
  }

  @Test
  void anyThrowableEndsTheQueryAndTheThreadLives() {
    for (boolean inClose : List.of(false, true)) {
      Throwable thrown = new java.io.IOException("checked");
      SourceOperator broken =
          inClose
              ? source(() -> Step.FINISHED, () -> DriverExecutorTest.sneaky(thrown))
              : source(() -> DriverExecutorTest.<RuntimeException, Step>raise(thrown), () -> {});
      TaskContext other =
          new TaskContext(
              1,
              memory.openQuery("other"),
              Configuration.DEFAULTS,
              work -> Thread.ofVirtual().start(work));
      try (DriverExecutor executor = DriverExecutor.start(1)) {
        executor.submit(List.of(from(broken)), other);
        other.started();
        CompletionException failure =
            assertThrows(CompletionException.class, () -> other.completion().join());
        assertTrue(failure.getMessage().contains("checked"), failure.getMessage());
        executor.submit(List.of(pipeline(2, 3, 99, 99)), task);
        task.started();
        task.completion().join();
      }
      task =
          new TaskContext(
              0,
              memory.openQuery("query"),
              Configuration.DEFAULTS,
              work -> Thread.ofVirtual().start(work));
    }
    assertEquals(12, rows.get());
  }

  private static <T extends Throwable, R> R raise(Throwable thrown) throws T {
    throw DriverExecutorTest.<T>sneaky(thrown);
  }

  @Test
  void aListenerThatThrowsKeepsNoOtherFromHearingOfTheCancellation() {
    Cancellation cancellation = new Cancellation();
    AtomicInteger told = new AtomicInteger();
    cancellation.onCancel(told::incrementAndGet);
    cancellation.onCancel(
        () -> {
          throw new IllegalStateException("broken listener");
        });
    cancellation.onCancel(told::incrementAndGet);
    cancellation.cancel();
    assertEquals(2, told.get());
    assertEquals("broken listener", cancellation.cause().getSuppressed()[0].getMessage());
  }

  /** Holds memory that it fails to give back. */
  private static final class Unspillable implements Operator {
    private final CompletableFuture<Void> waits = new CompletableFuture<>();
    private OperatorContext context;

    @Override
    public Schema outputSchema() {
      return SCHEMA;
    }

    @Override
    public void open(OperatorContext operatorContext) {
      context = operatorContext;
    }

    @Override
    public void addInput(Batch input) {
      input.close();
    }

    @Override
    public void noMoreInput() {}

    @Override
    public Step advance() {
      Step.Blocked blocked = context.memory().require(200L << 20);
      return blocked == null ? new Step.Blocked(waits, Step.BlockReason.IO) : blocked;
    }

    @Override
    public long revocableBytes() {
      return 200L << 20;
    }

    @Override
    public CompletableFuture<Void> revoke(long targetBytes) {
      return CompletableFuture.supplyAsync(
          () -> {
            throw new IllegalStateException("the disk is full");
          });
    }

    @Override
    public void close() {}
  }

  @Test
  void aFailedRevocationNamesTheOperatorThatWasAsked() {
    Pipeline pipeline =
        new Pipeline(
            OperatorFactory.of(1, "Source", driver -> source(() -> Step.FINISHED, () -> {})),
            List.of(OperatorFactory.of(3, "Held", driver -> new Unspillable())),
            OperatorFactory.of(2, "Sink", driver -> new Sink(99, 99)),
            1);
    try (DriverExecutor executor = DriverExecutor.start(1);
        Reservation other = memory.pool().openReservation("other", RevocableOwner.NONE)) {
      executor.submit(List.of(pipeline), task);
      task.started();
      while (memory.pool().reservedBytes() < 200L << 20) {
        Thread.onSpinWait();
      }
      CompletableFuture<Void> wanted = other.reserve(100L << 20);
      CompletionException failure =
          assertThrows(CompletionException.class, () -> task.completion().join());
      MillraceException error = (MillraceException) failure.getCause();
      assertTrue(error.getMessage().contains("the disk is full"), error.getMessage());
      assertEquals("Held-3", error.info().operator().orElseThrow());
      wanted.cancel(false);
    }
  }
}
