package io.millrace.exec.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.memory.MemoryPool;
import io.millrace.core.memory.Reservation;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.RootAllocatorFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A queue's bound, its ends, and that no wake-up is lost. */
@Timeout(60)
class BatchQueueTest {
  private static final Schema SCHEMA = Schema.of(Field.required("n", DataType.INT64));

  @RegisterExtension private final RootAllocatorFixture root = new RootAllocatorFixture();
  private final MemoryPool pool = new MemoryPool(1L << 20);

  private Batch batch() {
    return new BatchGenerators(1, root.allocator())
        .of(SCHEMA, List.of(List.of(1L), List.of(2L)), BatchForm.FLAT);
  }

  private BatchQueue queue(long limit, int producers, int consumers) {
    Reservation reservation = pool.openReservation("queue", RevocableOwner.NONE);
    return new BatchQueue(limit, reservation, producers, consumers);
  }

  @Test
  void isFullByBytesAndReadyAgainAfterAPoll() {
    BatchQueue queue = queue(1, 1, 1);
    assertTrue(queue.ready().isDone());
    queue.put(batch());
    CompletableFuture<Void> room = queue.ready();
    assertFalse(room.isDone());
    assertTrue(pool.reservedBytes() > 0);
    ((Step.Output) queue.poll()).batch().close();
    assertTrue(room.isDone());
    assertEquals(0, pool.reservedBytes());
  }

  /** Whoever waits for memory goes on at once, on this thread: not while others wait for it. */
  @Test
  void givesMemoryBackWithoutItsLock() {
    for (boolean byClose : List.of(false, true)) {
      BatchQueue queue = queue(1 << 20, 1, 1);
      queue.put(batch());
      Reservation other = pool.openReservation("other", RevocableOwner.NONE);
      AtomicBoolean locked = new AtomicBoolean(true);
      CompletableFuture<Void> waiting = other.reserve(1L << 20);
      assertFalse(waiting.isDone());
      waiting.thenRun(() -> locked.set(Thread.holdsLock(queue)));
      if (byClose) {
        queue.close();
      } else {
        ((Step.Output) queue.poll()).batch().close();
      }
      assertTrue(waiting.isDone());
      assertFalse(locked.get());
      other.close();
    }
  }

  @Test
  void endsWhenAllProducersHave() {
    BatchQueue queue = queue(100, 2, 1);
    Step.Blocked blocked = assertInstanceOf(Step.Blocked.class, queue.poll());
    queue.producerEnded();
    queue.put(batch());
    queue.producerEnded();
    assertTrue(blocked.ready().isDone());
    ((Step.Output) queue.poll()).batch().close();
    assertEquals(Step.FINISHED, queue.poll());
  }

  @Test
  void releasesWhatComesAfterItsConsumers() {
    BatchQueue queue = queue(1, 1, 2);
    queue.put(batch());
    CompletableFuture<Void> room = queue.ready();
    queue.consumerEnded();
    assertFalse(queue.isSatisfied());
    queue.consumerEnded();
    assertTrue(queue.isSatisfied());
    assertTrue(room.isDone());
    queue.put(batch());
    assertEquals(0, pool.reservedBytes());
  }

  @Test
  void countsAsFullWhileThePoolHasNothingLeft() {
    Reservation hog = pool.openReservation("hog", RevocableOwner.NONE);
    assertTrue(hog.tryReserve(pool.limitBytes()));
    BatchQueue queue = queue(1L << 30, 1, 1);
    queue.put(batch());
    assertFalse(queue.ready().isDone());
    ((Step.Output) queue.poll()).batch().close();
    assertTrue(queue.ready().isDone());
    assertEquals(pool.limitBytes(), pool.reservedBytes());
    hog.close();
  }

  @Test
  void noWakeUpIsLost() throws InterruptedException {
    BatchQueue queue = queue(1, 3, 2);
    AtomicInteger received = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int producer = 0; producer < 3; producer++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int count = 0; count < 2_000; count++) {
                      queue.ready().join();
                      queue.put(batch());
                    }
                    queue.producerEnded();
                  }));
    }
    for (int consumer = 0; consumer < 2; consumer++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (true) {
                      Step step = queue.poll();
                      if (step instanceof Step.Output output) {
                        output.batch().close();
                        received.incrementAndGet();
                      } else if (step instanceof Step.Blocked blocked) {
                        blocked.ready().join();
                      } else {
                        return;
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(6_000, received.get());
    assertEquals(0, pool.reservedBytes());
  }
}
