package io.millrace.cluster.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.TaskId;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.memory.Reservation;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writing thread's work is run step by step here, so that waiting pieces can be seen. */
final class PartitionedOutputTest {
  private static final AttemptId ATTEMPT = new AttemptId(new TaskId("q", 0, 0), 0);
  private static final Schema SCHEMA = Schema.of(Field.required("n", DataType.INT64));
  private static final int BUDGET_BYTES = 1 << 20;

  @TempDir Path folder;

  private final RootMemory memory = new RootMemory(BUDGET_BYTES);
  private final Queue<Runnable> work = new ArrayDeque<>();

  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, memory.pool().reservedBytes());
    memory.close();
  }

  private Batch batch(long number) {
    try (VectorBuilder builder = new VectorBuilder(DataType.INT64, memory.allocator())) {
      for (int row = 0; row < 8; row++) {
        builder.appendLong(number);
      }
      return new Batch(SCHEMA, List.of(builder.finish()), 8);
    }
  }

  private ShuffleStore store() {
    return new ShuffleStore(folder, 1 << 20, 1 << 20, memory.pool());
  }

  private PartitionedOutput output(ShuffleStore store, int partitions, long queueBytes) {
    return new PartitionedOutput(
        store.writer(ATTEMPT, partitions),
        partitions,
        memory.allocator(),
        work::add,
        queueBytes,
        memory.pool().openReservation("output", RevocableOwner.NONE));
  }

  private void runWork() {
    for (Runnable next = work.poll(); next != null; next = work.poll()) {
      next.run();
    }
  }

  private static int frames(ShuffleStore store, int partition) {
    int count = 0;
    FrameSource frames = store.open(ATTEMPT, partition);
    for (Optional<byte[]> frame = frames.next(); frame.isPresent(); frame = frames.next()) {
      count++;
    }
    return count;
  }

  @Test
  void piecesThatWaitAreReservedAndThoseOfAPartitionAreJoined() {
    try (ShuffleStore store = store();
        PartitionedOutput output = output(store, 2, 1 << 20)) {
      output.add(0, batch(1));
      output.add(0, batch(2));
      long waiting = memory.pool().reservedBytes();
      assertTrue(waiting >= 128, "reserved " + waiting);
      runWork();
      assertEquals(waiting, memory.pool().reservedBytes());
      output.publish();
      assertEquals(1, frames(store, 0));
    }
  }

  @Test
  void whatWaitsToBeJoinedIsBoundedOverAllPartitions() {
    try (ShuffleStore store = store();
        PartitionedOutput output = output(store, 100, 1_000)) {
      long most = 0;
      for (int partition = 0; partition < 100; partition++) {
        output.add(partition, batch(partition));
        runWork();
        most = Math.max(most, memory.allocator().getAllocatedMemory());
      }
      assertTrue(most < 3_000, "held " + most);
      output.publish();
      assertEquals(1, frames(store, 99));
    }
  }

  @Test
  void whenTheBudgetIsShortTheProducerWaitsAndAllIsWritten() {
    try (ShuffleStore store = store();
        PartitionedOutput output = output(store, 2, 1 << 20);
        Reservation other = memory.pool().openReservation("other", RevocableOwner.NONE)) {
      output.add(0, batch(1));
      runWork();
      assertTrue(output.ready().isDone());
      assertTrue(other.tryReserve(BUDGET_BYTES - memory.pool().reservedBytes()));
      output.add(1, batch(2));
      assertFalse(output.ready().isDone());
      runWork();
      assertTrue(output.ready().isDone());
      assertEquals(0, memory.allocator().getAllocatedMemory());
      output.publish();
      assertEquals(1, frames(store, 0));
      assertEquals(1, frames(store, 1));
    }
  }
}
