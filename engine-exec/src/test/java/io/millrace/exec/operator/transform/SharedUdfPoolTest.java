package io.millrace.exec.operator.transform;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.UdfPool;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.RootAllocatorFixture;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The fixture fails when memory leaked. */
class SharedUdfPoolTest {
  private static final Schema SCHEMA = Schema.of(Field.required("n", DataType.INT64));

  @RegisterExtension private final RootAllocatorFixture root = new RootAllocatorFixture();

  /** A pool that takes no call. */
  private static final class Broken implements UdfPool {
    @Override
    public CompletableFuture<ColumnVector> call(Batch arguments) {
      throw new IllegalStateException("no thread can be started");
    }

    @Override
    public int inFlightLimit() {
      return 1;
    }

    @Override
    public UdfCounters counters() {
      return new UdfCounters(0, 0, 0, 0, 0, 0);
    }

    @Override
    public void close() {}
  }

  @Test
  void argumentsThatThePoolDoesNotTakeAreReleased() {
    try (BufferAllocator calls = root.allocator().newChildAllocator("calls", 0, Long.MAX_VALUE);
        SharedUdfPool pool = new SharedUdfPool(new Broken(), calls)) {
      Batch arguments =
          new BatchGenerators(1, root.allocator())
              .of(SCHEMA, List.of(List.of(1L), List.of(2L)), BatchForm.FLAT);
      assertThrows(IllegalStateException.class, () -> pool.call(arguments));
    }
  }
}
