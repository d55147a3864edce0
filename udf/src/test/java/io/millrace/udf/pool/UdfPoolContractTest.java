package io.millrace.udf.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.core.spi.UdfPool;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.StatefulFunction;
import io.millrace.core.udf.UdfBatch;
import io.millrace.core.udf.UdfContext;
import io.millrace.core.udf.UdfOptions;
import io.millrace.core.udf.UdfOutput;
import io.millrace.core.udf.UdfReference;
import io.millrace.core.udf.UserFunction;
import io.millrace.udf.actor.ActorUdfInvoker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every pool must do, on threads and in actors alike. */
class UdfPoolContractTest {
  private static final long WAIT_SECONDS = 20;
  private static final AtomicInteger OPENED = new AtomicInteger();
  private static final AtomicInteger CLOSED = new AtomicInteger();
  private static final Semaphore RUNNING = new Semaphore(0);
  private static ActorSystem<Void> system;
  private BufferAllocator allocator;

  @BeforeAll
  static void startActors() {
    system = ActorSystem.create(Behaviors.empty(), "udf-test");
  }

  @AfterAll
  static void stopActors() throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
    OPENED.set(0);
    CLOSED.set(0);
  }

  /** Fails when a pool leaked a buffer. */
  @AfterEach
  void close() {
    allocator.close();
  }

  private UdfPool pool(String kind, UserFunction function, double slots) {
    UdfInvoker invoker =
        kind.equals("actors") ? new ActorUdfInvoker(system) : new LocalUdfInvoker();
    UdfReference reference =
        new UdfReference(
            function.name(),
            Optional.empty(),
            invoker.encode(function.implementation()),
            function.argumentTypes(),
            function.resultType(),
            function.options());
    return invoker.openPool(
        reference,
        new UdfEnvironment("q1", "local", getClass().getClassLoader(), slots, 0, allocator));
  }

  private Batch batch(Object... values) {
    try (VectorBuilder builder = new VectorBuilder(DataType.INT64, allocator)) {
      Arrays.asList(values).forEach(builder::appendValue);
      return new Batch(
          Schema.of(Field.nullable("x", DataType.INT64)), List.of(builder.finish()), values.length);
    }
  }

  private static List<Object> values(CompletableFuture<ColumnVector> call) throws Exception {
    try (ColumnVector column = call.get(WAIT_SECONDS, TimeUnit.SECONDS)) {
      List<Object> values = new ArrayList<>();
      for (int row = 0; row < column.length(); row++) {
        values.add(column.valueAt(row));
      }
      return values;
    }
  }

  private static MillraceException failure(CompletableFuture<ColumnVector> call) {
    ExecutionException wrapped =
        assertThrows(ExecutionException.class, () -> call.get(WAIT_SECONDS, TimeUnit.SECONDS));
    return assertInstanceOf(MillraceException.class, wrapped.getCause());
  }

  /** Gives its argument back; counts how often it was opened and closed. */
  static final class Counter implements StatefulFunction {
    private final long failOn;

    Counter(long failOn) {
      this.failOn = failOn;
    }

    @Override
    public void open(UdfContext context) {
      OPENED.incrementAndGet();
    }

    @Override
    public void apply(UdfBatch input, UdfOutput output) {
      for (int row = 0; row < input.rowCount(); row++) {
        Object value = input.value(0, row);
        if (value != null && (Long) value == failOn && OPENED.get() < 3) {
          throw new IllegalStateException("model broke on " + value);
        }
        output.append(value);
      }
    }

    @Override
    public void close() {
      CLOSED.incrementAndGet();
    }
  }

  private static UserFunction counter(long failOn) {
    return UserFunction.stateful(
        "counter", List.of(DataType.INT64), DataType.INT64, () -> new Counter(failOn));
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void aLambdaSeesNullsAndCapturedValues(String kind) throws Exception {
    long plus = 10;
    UserFunction function =
        UserFunction.scalar(
            "plus", DataType.INT64, DataType.INT64, (Long x) -> x == null ? null : x + plus);
    try (UdfPool pool = pool(kind, function, 2)) {
      assertEquals(Arrays.asList(11L, null), values(pool.call(batch(1L, null))));
      assertEquals(List.of(), values(pool.call(batch())));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void anArrowVectorIsTakenAsResult(String kind) throws Exception {
    UserFunction function =
        UserFunction.batch(
            "twice",
            List.of(DataType.INT64),
            DataType.INT64,
            (input, output) -> {
              BigIntVector in = (BigIntVector) input.arrow().getVector(0);
              BigIntVector out = new BigIntVector("out", output.allocator());
              out.allocateNew(input.rowCount());
              for (int row = 0; row < input.rowCount(); row++) {
                out.set(row, 2 * in.get(row));
              }
              out.setValueCount(input.rowCount());
              output.set(out);
            });
    try (UdfPool pool = pool(kind, function, 2)) {
      assertEquals(List.of(2L, 4L), values(pool.call(batch(1L, 2L))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void stateIsOpenedOncePerInstanceAndAlwaysClosed(String kind) throws Exception {
    try (UdfPool pool = pool(kind, counter(-1).concurrency(2), 8)) {
      List<CompletableFuture<ColumnVector>> calls = new ArrayList<>();
      for (long call = 0; call < 200; call++) {
        calls.add(pool.call(batch(call)));
      }
      for (long call = 0; call < 200; call++) {
        assertEquals(List.of(call), values(calls.get((int) call)));
      }
      assertTrue(pool.counters().loads() <= 2, "loads " + pool.counters().loads());
      assertEquals(200, pool.counters().rows());
    }
    assertEquals(OPENED.get(), CLOSED.get());
    assertTrue(OPENED.get() >= 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void moreInstancesThanSlotsRunWithFewerAndFinish(String kind) throws Exception {
    try (UdfPool pool = pool(kind, counter(-1).concurrency(50), 1)) {
      List<CompletableFuture<ColumnVector>> calls = new ArrayList<>();
      for (long call = 0; call < 20; call++) {
        calls.add(pool.call(batch(call)));
      }
      for (CompletableFuture<ColumnVector> call : calls) {
        assertEquals(1, values(call).size());
      }
      assertEquals(1, pool.counters().loads());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void aThrowingFunctionFailsWithItsMessageNameAndRows(String kind) {
    UserFunction function =
        UserFunction.scalar(
            "strict",
            DataType.INT64,
            DataType.INT64,
            (Long x) -> {
              if (x == 2) {
                throw new IllegalArgumentException("two is not allowed");
              }
              return x;
            });
    try (UdfPool pool = pool(kind, function, 2)) {
      MillraceException error = failure(pool.call(batch(0L, 1L, 2L)));
      assertEquals(ErrorCode.UDF_FAILED, error.code());
      assertTrue(error.getMessage().contains("two is not allowed"), error.getMessage());
      assertEquals(Optional.of("strict"), error.info().udf());
      assertEquals(Optional.of("2"), error.info().rows());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void onErrorNullKeepsTheOtherRows(String kind) throws Exception {
    UserFunction function =
        UserFunction.scalar("inverse", DataType.INT64, DataType.INT64, (Long x) -> 10 / x)
            .withOptions(UdfOptions.DEFAULT.withOnError(UdfOptions.OnError.NULL));
    try (UdfPool pool = pool(kind, function, 2)) {
      assertEquals(Arrays.asList(10L, null, 5L), values(pool.call(batch(1L, 0L, 2L))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void aFailedInstanceIsReplacedAndItsBatchReplayed(String kind) throws Exception {
    UserFunction function =
        counter(7).concurrency(1).withOptions(UdfOptions.DEFAULT.withConcurrency(1).withRetries(3));
    try (UdfPool pool = pool(kind, function, 1)) {
      assertEquals(List.of(7L), values(pool.call(batch(7L))));
      assertEquals(2, pool.counters().retries());
      assertEquals(3, pool.counters().loads());
    }
    assertEquals(OPENED.get(), CLOSED.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void aWrongNumberOfResultsIsAnError(String kind) {
    UserFunction function =
        UserFunction.batch(
            "short", List.of(DataType.INT64), DataType.INT64, (input, output) -> output.append(1L));
    try (UdfPool pool = pool(kind, function, 2)) {
      MillraceException error = failure(pool.call(batch(1L, 2L)));
      assertTrue(error.getMessage().contains("one result per row"), error.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void aSlowCallEndsAtItsTimeout(String kind) throws Exception {
    UserFunction function =
        UserFunction.scalar(
                "slow",
                DataType.INT64,
                DataType.INT64,
                (Long x) -> {
                  if (x == 1) {
                    Thread.sleep(60_000);
                  }
                  return x;
                })
            .withOptions(UdfOptions.DEFAULT.withTimeoutMillis(200));
    try (UdfPool pool = pool(kind, function, 1)) {
      assertEquals(ErrorCode.UDF_TIMEOUT, failure(pool.call(batch(1L))).code());
      assertEquals(List.of(2L), values(pool.call(batch(2L))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void closingEndsRunningAndWaitingCalls(String kind) throws Exception {
    UserFunction function =
        UserFunction.scalar(
                "stuck",
                DataType.INT64,
                DataType.INT64,
                (Long x) -> {
                  RUNNING.release();
                  Thread.sleep(60_000);
                  return x;
                })
            .concurrency(1);
    UdfPool pool = pool(kind, function, 1);
    List<CompletableFuture<ColumnVector>> calls =
        List.of(pool.call(batch(1L)), pool.call(batch(2L)), pool.call(batch(3L)));
    assertTrue(RUNNING.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS));
    long start = System.nanoTime();
    pool.close();
    assertTrue(System.nanoTime() - start < 9_000_000_000L, "close waited for the sleeping call");
    for (CompletableFuture<ColumnVector> call : calls) {
      failure(call);
    }
    failure(pool.call(batch(4L)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"threads", "actors"})
  void aFailingOpenIsTheFunctionsOwnError(String kind) {
    UserFunction function =
        UserFunction.stateful(
            "model",
            List.of(DataType.INT64),
            DataType.INT64,
            () -> {
              throw new java.io.FileNotFoundException("model.onnx");
            });
    try (UdfPool pool = pool(kind, function, 1)) {
      MillraceException error = failure(pool.call(batch(1L)));
      assertTrue(error.getMessage().contains("model.onnx"), error.getMessage());
      assertNull(error.info().worker().orElse(null));
      assertFalse(error.code().retryable());
    }
  }
}
