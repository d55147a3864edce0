package io.millrace.core.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MemoryPoolTest {
  /** Long enough that no test waits for it by accident. */
  private static final long NEVER_MILLIS = 3_600_000;

  /** Holds revocable bytes and releases them when told, at once or later. */
  private static final class Spiller implements RevocableOwner {
    private final AtomicLong revocable = new AtomicLong();
    private final CompletableFuture<Void> later;
    private Reservation reservation;
    private int requests;

    Spiller(CompletableFuture<Void> later) {
      this.later = later;
    }

    @Override
    public long revocableBytes() {
      return revocable.get();
    }

    @Override
    public CompletableFuture<Void> requestRevoke(long targetBytes) {
      requests++;
      return later.thenRun(() -> reservation.release(revocable.getAndSet(0)));
    }
  }

  private static Spiller spiller(MemoryPool pool, long bytes, CompletableFuture<Void> later) {
    Spiller spiller = new Spiller(later);
    spiller.reservation = pool.openReservation("spiller of " + bytes, spiller);
    assertTrue(spiller.reservation.tryReserve(bytes));
    spiller.revocable.set(bytes);
    return spiller;
  }

  private static ErrorCode failure(CompletableFuture<Void> future) {
    CompletionException failure = assertThrows(CompletionException.class, future::join);
    return assertInstanceOf(MillraceException.class, failure.getCause()).code();
  }

  @Test
  void countsReservedAndPeak() {
    MemoryPool pool = new MemoryPool(100);
    Reservation first = pool.openReservation("first", RevocableOwner.NONE);
    Reservation second = pool.openReservation("second", RevocableOwner.NONE);
    assertTrue(first.tryReserve(60));
    assertFalse(second.tryReserve(41));
    assertTrue(second.tryReserve(40));
    first.release(10);
    assertEquals(90, pool.reservedBytes());
    assertEquals(100, pool.peakBytes());
    assertEquals(60, first.peakBytes());
    assertTrue(first.tryResize(60));
    assertFalse(first.tryResize(61));
    assertTrue(first.tryResize(5));
    assertEquals(45, pool.reservedBytes());
    first.close();
    first.close();
    second.close();
    assertEquals(0, pool.reservedBytes());
  }

  @Test
  void releaseGrantsWhoWaits() {
    MemoryPool pool = new MemoryPool(100, NEVER_MILLIS);
    Reservation holder = pool.openReservation("holder", RevocableOwner.NONE);
    Reservation waiter = pool.openReservation("waiter", RevocableOwner.NONE);
    assertTrue(holder.tryReserve(100));
    CompletableFuture<Void> granted = waiter.reserve(50);
    assertFalse(granted.isDone());
    holder.release(49);
    assertFalse(granted.isDone());
    holder.release(1);
    assertTrue(granted.isDone());
    assertEquals(50, waiter.reservedBytes());
  }

  @Test
  void olderQueriesAreGrantedFirst() {
    MemoryPool pool = new MemoryPool(100, NEVER_MILLIS);
    Reservation holder = pool.openReservation("holder", RevocableOwner.NONE);
    Reservation old = pool.openReservation("old", RevocableOwner.NONE);
    Reservation young = pool.openReservation("young", RevocableOwner.NONE);
    assertTrue(holder.tryReserve(100));
    CompletableFuture<Void> youngGrant = young.reserve(30);
    CompletableFuture<Void> oldGrant = old.reserve(30);
    holder.release(30);
    assertTrue(oldGrant.isDone());
    assertFalse(youngGrant.isDone());
  }

  @Test
  void ownerWithMostRevocableBytesSpillsFirst() {
    MemoryPool pool = new MemoryPool(100, NEVER_MILLIS);
    CompletableFuture<Void> small = new CompletableFuture<>();
    CompletableFuture<Void> large = new CompletableFuture<>();
    Spiller smallSpiller = spiller(pool, 20, small);
    Spiller largeSpiller = spiller(pool, 70, large);
    Reservation waiter = pool.openReservation("waiter", RevocableOwner.NONE);
    CompletableFuture<Void> granted = waiter.reserve(95);
    assertEquals(1, largeSpiller.requests);
    assertEquals(0, smallSpiller.requests);
    large.complete(null);
    assertEquals(1, smallSpiller.requests);
    assertFalse(granted.isDone());
    small.complete(null);
    assertTrue(granted.isDone());
    assertEquals(95, pool.reservedBytes());
  }

  @Test
  void whoWaitsMaySpillItself() {
    MemoryPool pool = new MemoryPool(100, NEVER_MILLIS);
    Spiller spiller = spiller(pool, 80, CompletableFuture.completedFuture(null));
    CompletableFuture<Void> granted = spiller.reservation.reserve(30);
    assertTrue(granted.isDone());
    assertEquals(30, spiller.reservation.reservedBytes());
  }

  @Test
  void youngestFailsWhenAllWaitAndNothingIsRevocable() {
    MemoryPool pool = new MemoryPool(100, NEVER_MILLIS);
    Reservation old = pool.openReservation("old sort", RevocableOwner.NONE);
    Reservation young = pool.openReservation("young join", RevocableOwner.NONE);
    assertTrue(old.tryReserve(50));
    assertTrue(young.tryReserve(50));
    CompletableFuture<Void> youngGrant = young.reserve(10);
    assertFalse(youngGrant.isDone());
    CompletableFuture<Void> oldGrant = old.reserve(10);
    assertEquals(ErrorCode.MEMORY_EXHAUSTED, failure(youngGrant));
    String message = assertThrows(CompletionException.class, youngGrant::join).getMessage();
    assertTrue(message.contains("young join") && message.contains("--memory"), message);
    assertFalse(oldGrant.isDone());
    young.close();
    assertTrue(oldGrant.isDone());
  }

  @Test
  void ownerThatReleasesNothingIsNotAskedForever() {
    MemoryPool pool = new MemoryPool(100, NEVER_MILLIS);
    int[] requests = new int[1];
    Reservation liar =
        pool.openReservation(
            "liar",
            new RevocableOwner() {
              @Override
              public long revocableBytes() {
                return 100;
              }

              @Override
              public CompletableFuture<Void> requestRevoke(long targetBytes) {
                requests[0]++;
                return CompletableFuture.completedFuture(null);
              }
            });
    assertTrue(liar.tryReserve(100));
    assertEquals(ErrorCode.MEMORY_EXHAUSTED, failure(liar.reserve(1)));
    assertEquals(1, requests[0]);
  }

  @Test
  void moreThanTheBudgetFailsAtOnce() {
    MemoryPool pool = new MemoryPool(100, NEVER_MILLIS);
    Reservation reservation = pool.openReservation("scan", RevocableOwner.NONE);
    assertEquals(ErrorCode.MEMORY_EXHAUSTED, failure(reservation.reserve(101)));
  }

  @Test
  @Timeout(20)
  void requestFailsAfterAStallThoughAHolderDoesNotWait() throws Exception {
    MemoryPool pool = new MemoryPool(100, 50);
    Reservation idle = pool.openReservation("idle", RevocableOwner.NONE);
    Reservation waiter = pool.openReservation("waiter", RevocableOwner.NONE);
    assertTrue(idle.tryReserve(100));
    CompletableFuture<Void> request = waiter.reserve(1);
    assertFalse(request.isDone());
    assertThrows(Exception.class, () -> request.get(10, TimeUnit.SECONDS));
    assertEquals(ErrorCode.MEMORY_EXHAUSTED, failure(request));
  }

  @Test
  void closeAndCancelWithdrawRequests() {
    MemoryPool pool = new MemoryPool(100, NEVER_MILLIS);
    Reservation holder = pool.openReservation("holder", RevocableOwner.NONE);
    Reservation closing = pool.openReservation("closing", RevocableOwner.NONE);
    Reservation cancelling = pool.openReservation("cancelling", RevocableOwner.NONE);
    assertTrue(holder.tryReserve(100));
    CompletableFuture<Void> closed = closing.reserve(10);
    CompletableFuture<Void> cancelled = cancelling.reserve(10);
    closing.close();
    assertEquals(ErrorCode.CANCELLED, failure(closed));
    cancelled.cancel(false);
    holder.close();
    assertEquals(0, pool.reservedBytes());
    assertEquals(0, pool.waiterCount());
    assertEquals(ErrorCode.CANCELLED, failure(closing.reserve(1)));
  }

  @Test
  void releasingMoreThanReservedIsABug() {
    MemoryPool pool = new MemoryPool(100);
    Reservation reservation = pool.openReservation("scan", RevocableOwner.NONE);
    assertThrows(MillraceException.class, () -> reservation.release(1));
  }

  @Test
  @Timeout(60)
  void manyThreadsNeverPassTheBudgetNorLoseAWakeUp() throws Exception {
    MemoryPool pool = new MemoryPool(1000, NEVER_MILLIS);
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      Random random = new Random(number);
      Thread thread =
          Thread.ofPlatform()
              .unstarted(
                  () -> {
                    try (Reservation reservation =
                        pool.openReservation(
                            Thread.currentThread().getName(), RevocableOwner.NONE)) {
                      for (int round = 0; round < 3000; round++) {
                        long bytes = 1L + random.nextInt(400);
                        reservation.reserve(bytes).get(30, TimeUnit.SECONDS);
                        if (pool.reservedBytes() > 1000) {
                          throw new AssertionError("over budget");
                        }
                        reservation.release(bytes);
                      }
                    } catch (Exception | AssertionError failure) {
                      synchronized (failures) {
                        failures.add(failure);
                      }
                    }
                  });
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), failures);
    assertEquals(0, pool.reservedBytes());
    assertTrue(pool.peakBytes() > 400 && pool.peakBytes() <= 1000);
  }

  /** Grows step by step and spills when asked, like a sort; may be asked while it waits. */
  private static final class GrowingSort implements RevocableOwner, Runnable {
    private final AtomicLong revocable = new AtomicLong();
    private final Reservation reservation;
    private final List<Throwable> failures;

    GrowingSort(MemoryPool pool, String name, List<Throwable> failures) {
      this.reservation = pool.openReservation(name, this);
      this.failures = failures;
    }

    @Override
    public long revocableBytes() {
      return revocable.get();
    }

    @Override
    public CompletableFuture<Void> requestRevoke(long targetBytes) {
      reservation.release(revocable.getAndSet(0));
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void run() {
      try (reservation) {
        for (int step = 0; step < 2000; step++) {
          reservation.reserve(40).get(30, TimeUnit.SECONDS);
          revocable.addAndGet(40);
        }
      } catch (Exception failure) {
        synchronized (failures) {
          failures.add(failure);
        }
      }
    }
  }

  @Test
  @Timeout(120)
  void sortsThatTogetherNeedMoreThanTheBudgetAllFinishBySpilling() throws Exception {
    MemoryPool pool = new MemoryPool(1000, NEVER_MILLIS);
    List<Throwable> failures = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < 6; number++) {
      threads.add(Thread.ofPlatform().unstarted(new GrowingSort(pool, "sort " + number, failures)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), failures);
    assertEquals(0, pool.reservedBytes());
    assertTrue(pool.peakBytes() <= 1000);
  }
}
