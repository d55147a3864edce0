package io.millrace.exec.operator.transform;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.MemoryPool;
import io.millrace.core.plan.FetchColumn;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.core.spi.UdfPool;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfOptions;
import io.millrace.core.udf.UdfReference;
import io.millrace.exec.fake.LocalEngine;
import io.millrace.exec.fake.MemoryConnector;
import io.millrace.exec.operator.sink.WriteOperator;
import io.millrace.exec.pipeline.OperatorHarness;
import io.millrace.exec.pipeline.TaskContext;
import io.millrace.exec.store.SchemeStores;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** Operators that wait for work done elsewhere, in the harness: functions, fetch, write. */
class AsyncHarnessTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.nullable("number", DataType.INT64),
          Field.nullable("text", DataType.STRING),
          Field.required("row", DataType.INT32));

  private static List<List<Object>> rows() {
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < 50; row++) {
      rows.add(Arrays.asList(row % 4 == 0 ? null : (Object) (long) row, "t" + row, row));
    }
    return rows;
  }

  /** Doubles int64 on virtual threads; a negative argument fails. */
  private static final class Doubling implements UdfPool {
    private final BufferAllocator allocator;
    private final AtomicLong rows = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();

    Doubling(BufferAllocator allocator) {
      this.allocator = allocator;
    }

    @Override
    public CompletableFuture<ColumnVector> call(Batch arguments) {
      // A call counts a moment longer than its result is awaited.
      assertTrue(running.incrementAndGet() <= 2 * inFlightLimit());
      assertTrue(!arguments.hasSelection() && arguments.columnCount() == 1);
      assertTrue(arguments.rowCount() <= 8);
      CompletableFuture<ColumnVector> result = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> run(arguments, result));
      return result;
    }

    private void run(Batch arguments, CompletableFuture<ColumnVector> result) {
      try (arguments;
          VectorBuilder builder = new VectorBuilder(DataType.INT64, allocator)) {
        for (int row = 0; row < arguments.rowCount(); row++) {
          Object value = arguments.valueAt(0, row);
          if (value != null && (Long) value < 0) {
            throw new MillraceException(ErrorCode.UDF_FAILED, "negative: " + value);
          }
          builder.appendValue(value == null ? null : (Object) (2 * (Long) value));
        }
        rows.addAndGet(arguments.rowCount());
        ColumnVector column = builder.finish();
        if (!result.complete(column)) {
          column.close();
        }
      } catch (RuntimeException failure) {
        result.completeExceptionally(failure);
      } finally {
        running.decrementAndGet();
      }
    }

    @Override
    public int inFlightLimit() {
      return 3;
    }

    @Override
    public UdfCounters counters() {
      return new UdfCounters(rows.get(), 0, 1, 0, 0, 0);
    }

    /** Waits for calls that were cancelled and run on. */
    @Override
    public void close() {
      while (running.get() > 0) {
        Thread.onSpinWait();
      }
    }
  }

  private static UdfReference function() {
    return new UdfReference(
        "twice",
        Optional.empty(),
        new byte[0],
        List.of(DataType.INT64),
        DataType.INT64,
        UdfOptions.DEFAULT.withBatchRows(8));
  }

  @Test
  void udfPasses() {
    PhysicalPlan.Udf plan =
        new PhysicalPlan.Udf(
            1,
            new PhysicalPlan.Values(0, SCHEMA, List.of()),
            function(),
            List.of(0),
            Field.nullable("twice", DataType.INT64));
    List<List<Object>> expected = new ArrayList<>();
    for (List<Object> row : rows()) {
      List<Object> values = new ArrayList<>(row);
      values.add(row.get(0) == null ? null : (Object) (2 * (Long) row.get(0)));
      expected.add(values);
    }
    new OperatorHarness(
            "Udf",
            SCHEMA,
            rows(),
            expected,
            true,
            (task, batches, form, batchRows) -> {
              BufferAllocator allocator = task.openScope("udf").allocator();
              SharedUdfPool pool = new SharedUdfPool(new Doubling(allocator), allocator);
              task.addResource(pool);
              return new UdfOperator(plan, pool);
            })
        .run();
  }

  @Test
  void aFailingFunctionEndsTheQueryWithItsOwnMessage() {
    MemoryConnector connector =
        new MemoryConnector(
            Schema.of(Field.required("number", DataType.INT64)),
            List.of(List.of(1L), List.of(-5L), List.of(3L)),
            1,
            1);
    UdfInvoker invoker =
        new UdfInvoker() {
          @Override
          public byte[] encode(UdfImplementation implementation) {
            throw new UnsupportedOperationException();
          }

          @Override
          public UdfPool openPool(UdfReference reference, UdfEnvironment environment) {
            return new Doubling(environment.allocator());
          }
        };
    try (LocalEngine engine =
        new LocalEngine(2, 16, new MemoryPool(1L << 30), invoker, connector)) {
      PhysicalPlan scan =
          new PhysicalPlan.Scan(
              1, connector.scan(Field.required("number", DataType.INT64)), connector.splits());
      PhysicalPlan plan =
          new PhysicalPlan.Udf(
              2, scan, function(), List.of(0), Field.nullable("twice", DataType.INT64));
      MillraceException failure = assertThrows(MillraceException.class, () -> engine.rows(plan));
      assertEquals("negative: -5", failure.getMessage());
      assertEquals("Udf-2", failure.info().operator().orElseThrow());
    }
  }

  private static ConnectorContext connectorContext(TaskContext task) {
    return new ConnectorContext(
        task.openScope("connector").allocator(),
        task.blockingWork(),
        new SchemeStores(),
        task.configuration());
  }

  @Test
  void fetchPasses() {
    Schema table =
        Schema.of(
            Field.nullable("blob", DataType.BINARY), Field.nullable("label", DataType.STRING));
    List<List<Object>> stored = new ArrayList<>();
    for (int row = 0; row < 20; row++) {
      stored.add(Arrays.asList(row % 6 == 5 ? null : new byte[] {(byte) row}, "label " + row));
    }
    DataType blob = new DataType.Reference(0, "blob", DataType.BINARY);
    DataType label = new DataType.Reference(0, "label", DataType.STRING);
    Schema input =
        Schema.of(
            Field.required("row", DataType.INT32),
            Field.nullable("blob", blob),
            Field.nullable("label", label),
            Field.nullable("other", label));
    MemoryConnector connector = new MemoryConnector(table, stored, 1, 10);
    PhysicalPlan.Fetch plan =
        new PhysicalPlan.Fetch(
            1,
            new PhysicalPlan.Values(0, input, List.of()),
            connector.source(0),
            List.of(
                new FetchColumn(1, "blob", table.field(0)),
                new FetchColumn(2, "label", table.field(1)),
                new FetchColumn(3, "label", Field.nullable("other", DataType.STRING))));
    List<List<Object>> rows = new ArrayList<>();
    List<List<Object>> expected = new ArrayList<>();
    for (int row = 0; row < 60; row++) {
      Long address = row % 7 == 6 ? null : (Long) (long) (row * 13 % 20);
      Long other = row % 5 == 0 ? null : (Long) (long) (row % 3);
      rows.add(Arrays.asList(row, address, address, other));
      expected.add(
          Arrays.asList(
              row,
              address == null ? null : stored.get(address.intValue()).get(0),
              address == null ? null : stored.get(address.intValue()).get(1),
              other == null ? null : stored.get(other.intValue()).get(1)));
    }
    new OperatorHarness(
            "Fetch",
            input,
            rows,
            expected,
            true,
            (task, batches, form, batchRows) -> {
              ConnectorContext context = connectorContext(task);
              SharedRowTaker taker =
                  new SharedRowTaker(() -> connector.openTaker(plan.source(), context));
              task.addResource(taker);
              return new FetchOperator(plan, taker);
            })
        .run();
  }

  @Test
  void writePasses() {
    MemoryConnector connector = new MemoryConnector(SCHEMA, List.of(), 1, 1);
    SinkSpecification sink =
        new SinkSpecification(
            "memory",
            "target",
            io.millrace.core.spi.WriteMode.CREATE,
            SCHEMA,
            java.util.Map.of(),
            "write");
    byte[] fragment = "attempt".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    new OperatorHarness(
            "Write",
            SCHEMA,
            rows(),
            List.of(List.of(fragment, 50L)),
            true,
            (task, batches, form, batchRows) -> {
              ConnectorContext context = connectorContext(task);
              return new WriteOperator(SCHEMA, () -> connector.openSink(sink, context), "attempt");
            })
        .run();
    assertEquals(0, connector.openWriters());
  }
}
