package io.millrace.exec.operator.recursion;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.bridge.BatchQueue;
import io.millrace.exec.pipeline.OperatorHarness;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** Recursion in the harness, over a step that adds 100 to numbers below 300. */
class RecursionHarnessTest {
  private static final Schema SCHEMA = Schema.of(Field.nullable("number", DataType.INT64));
  private static final long STEP = 100;
  private static final long END = 300;

  private static List<List<Object>> rows() {
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < 40; row++) {
      rows.add(List.of(row % 25));
    }
    return rows;
  }

  private static List<List<Object>> expected(boolean all) {
    List<List<Object>> expected = new ArrayList<>();
    List<List<Object>> work = rows();
    Set<List<Object>> seen = new LinkedHashSet<>();
    while (!work.isEmpty()) {
      List<List<Object>> next = new ArrayList<>();
      for (List<Object> row : work) {
        if (all || seen.add(row)) {
          expected.add(row);
          long number = (long) row.get(0);
          if (number < END) {
            next.add(List.of(number + STEP));
          }
        }
      }
      work = next;
    }
    return expected;
  }

  /** Adds on the caller's thread. */
  private static StepRunner.Run add(
      BatchSource rows, BatchQueue results, BufferAllocator allocator) {
    for (Step step = rows.poll(); !(step instanceof Step.Finished); step = rows.poll()) {
      switch (step) {
        case Step.Output(Batch batch) -> results.put(added(batch, allocator));
        case Step.Blocked blocked -> blocked.ready().join();
        case Step.Finished unused -> {}
        case Step.NeedInput unused -> throw new AssertionError("a source asked for input");
      }
    }
    rows.close();
    return new StepRunner.Run() {
      @Override
      public CompletableFuture<Void> completion() {
        return CompletableFuture.completedFuture(null);
      }

      @Override
      public void cancel() {}
    };
  }

  private static Batch added(Batch batch, BufferAllocator allocator) {
    try (batch;
        VectorBuilder builder = new VectorBuilder(DataType.INT64, allocator)) {
      for (int row = 0; row < batch.rowCount(); row++) {
        long number = (long) batch.valueAt(0, row);
        if (number < END) {
          builder.appendLong(number + STEP);
        }
      }
      int count = builder.length();
      return new Batch(SCHEMA, List.of(builder.finish()), count);
    }
  }

  private static void check(boolean all) {
    PhysicalPlan leaf = new PhysicalPlan.Values(0, SCHEMA, List.of());
    PhysicalPlan.Recursion plan = new PhysicalPlan.Recursion(1, leaf, leaf, 0, all, SCHEMA);
    new OperatorHarness(
            "Recursion",
            SCHEMA,
            rows(),
            expected(all),
            false,
            (task, batches, form, batchRows) ->
                new RecursionOperator(
                    plan,
                    RecursionHarnessTest::add,
                    task.memory().openReservation(RevocableOwner.NONE)))
        .run();
  }

  @Test
  void allRowsPass() {
    check(true);
  }

  @Test
  void distinctRowsPass() {
    check(false);
  }
}
