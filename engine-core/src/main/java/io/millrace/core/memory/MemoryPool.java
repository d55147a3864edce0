package io.millrace.core.memory;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One budget of bytes for a process, handed out as reservations. Thread-safe.
 *
 * <p>When bytes lack, the pool asks the owner with the most revocable bytes to revoke, then the
 * next, until enough comes back. A request is granted as soon as it fits, older queries first. When
 * nothing is revocable and no one makes progress, the youngest waiting query's request fails.
 *
 * <p>"No progress" is certain when whoever holds bytes waits for more; otherwise the pool waits
 * {@code stallMillis} since bytes last moved, because others may release soon.
 */
public final class MemoryPool {
  /** How long the pool waits for a release before it fails a request that may be hopeless. */
  public static final long DEFAULT_STALL_MILLIS = 2_000;

  private record Waiter(
      Reservation reservation, long bytes, long order, CompletableFuture<Void> future) {}

  private final long limitBytes;
  private final long stallMillis;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicLong queries = new AtomicLong();

  // Guarded by the lock.
  private final Set<Reservation> open = new LinkedHashSet<>();
  private final List<Waiter> waiters = new ArrayList<>();
  private long reservedBytes;
  private long peakBytes;
  private long orders;
  private long lastProgressNanos = System.nanoTime();
  private boolean checkScheduled;

  public MemoryPool(long limitBytes) {
    this(limitBytes, DEFAULT_STALL_MILLIS);
  }

  /**
   * @param limitBytes the budget
   * @param stallMillis how long without any release before a request is given up
   */
  public MemoryPool(long limitBytes, long stallMillis) {
    this.limitBytes = limitBytes;
    this.stallMillis = stallMillis;
  }

  /** The budget. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Bytes held by all reservations now. */
  public long reservedBytes() {
    lock.lock();
    try {
      return reservedBytes;
    } finally {
      lock.unlock();
    }
  }

  /** The most bytes that were held at once. */
  public long peakBytes() {
    lock.lock();
    try {
      return peakBytes;
    } finally {
      lock.unlock();
    }
  }

  /** Requests that wait now. */
  public int waiterCount() {
    lock.lock();
    try {
      return waiters.size();
    } finally {
      lock.unlock();
    }
  }

  /** A number for a new query, higher than all before: requests of younger queries fail first. */
  public long nextQuery() {
    return queries.incrementAndGet();
  }

  /** A reservation of a query of its own. */
  public Reservation openReservation(String owner, RevocableOwner revocable) {
    return openReservation(owner, nextQuery(), revocable);
  }

  /**
   * An empty reservation.
   *
   * @param owner who reserves, named in errors
   * @param query from {@link #nextQuery}
   * @param revocable asked for memory when the pool is short
   */
  public Reservation openReservation(String owner, long query, RevocableOwner revocable) {
    Reservation reservation = new Reservation(this, owner, query, revocable);
    lock.lock();
    try {
      open.add(reservation);
    } finally {
      lock.unlock();
    }
    return reservation;
  }

  boolean tryReserve(Reservation reservation, long bytes) {
    requireAmount(bytes);
    lock.lock();
    try {
      return take(reservation, bytes);
    } finally {
      lock.unlock();
    }
  }

  boolean tryResize(Reservation reservation, long bytes) {
    requireAmount(bytes);
    long surplus;
    lock.lock();
    try {
      surplus = reservation.reservedBytes - bytes;
      if (surplus <= 0) {
        return take(reservation, -surplus);
      }
    } finally {
      lock.unlock();
    }
    release(reservation, surplus);
    return true;
  }

  CompletableFuture<Void> reserve(Reservation reservation, long bytes) {
    requireAmount(bytes);
    CompletableFuture<Void> future = new CompletableFuture<>();
    lock.lock();
    try {
      if (reservation.closed) {
        return CompletableFuture.failedFuture(closed(reservation));
      }
      if (take(reservation, bytes)) {
        return CompletableFuture.completedFuture(null);
      }
      if (bytes > limitBytes) {
        return CompletableFuture.failedFuture(exhausted(reservation, bytes));
      }
      if (waiters.isEmpty()) {
        lastProgressNanos = System.nanoTime();
      }
      waiters.add(new Waiter(reservation, bytes, orders++, future));
      waiters.sort(
          Comparator.comparingLong((Waiter waiter) -> waiter.reservation().query())
              .thenComparingLong(Waiter::order));
    } finally {
      lock.unlock();
    }
    // The bytes may have come between: settle looks again, so no release is lost.
    settle();
    return future;
  }

  void release(Reservation reservation, long bytes) {
    requireAmount(bytes);
    lock.lock();
    try {
      if (bytes > reservation.reservedBytes) {
        if (reservation.closed) {
          return;
        }
        throw new MillraceException(
            ErrorCode.INTERNAL_ERROR,
            "More memory was released than reserved: "
                + reservation.owner()
                + ", "
                + bytes
                + " of "
                + reservation.reservedBytes);
      }
      giveBack(reservation, bytes);
    } finally {
      lock.unlock();
    }
    settle();
  }

  void close(Reservation reservation) {
    List<Waiter> withdrawn = new ArrayList<>();
    lock.lock();
    try {
      if (reservation.closed) {
        return;
      }
      reservation.closed = true;
      open.remove(reservation);
      giveBack(reservation, reservation.reservedBytes);
      waiters.removeIf(waiter -> waiter.reservation() == reservation && withdrawn.add(waiter));
    } finally {
      lock.unlock();
    }
    withdrawn.forEach(waiter -> waiter.future().completeExceptionally(closed(reservation)));
    settle();
  }

  long reservedBytes(Reservation reservation) {
    lock.lock();
    try {
      return reservation.reservedBytes;
    } finally {
      lock.unlock();
    }
  }

  long peakBytes(Reservation reservation) {
    lock.lock();
    try {
      return reservation.peakBytes;
    } finally {
      lock.unlock();
    }
  }

  private boolean take(Reservation reservation, long bytes) {
    if (reservation.closed || bytes > limitBytes - reservedBytes) {
      return false;
    }
    reservedBytes += bytes;
    peakBytes = Math.max(peakBytes, reservedBytes);
    reservation.reservedBytes += bytes;
    reservation.fruitlessAt = -1;
    lastProgressNanos = System.nanoTime();
    reservation.peakBytes = Math.max(reservation.peakBytes, reservation.reservedBytes);
    return true;
  }

  private void giveBack(Reservation reservation, long bytes) {
    reservedBytes -= bytes;
    reservation.reservedBytes -= bytes;
    if (bytes > 0) {
      reservation.releaseCount++;
      lastProgressNanos = System.nanoTime();
    }
  }

  /** Grants what fits; then asks for a revocation or gives a request up when nothing else helps. */
  private void settle() {
    List<Waiter> granted = new ArrayList<>();
    boolean mayStall;
    lock.lock();
    try {
      waiters.removeIf(waiter -> waiter.future().isDone());
      waiters.removeIf(waiter -> take(waiter.reservation(), waiter.bytes()) && granted.add(waiter));
      mayStall = !waiters.isEmpty();
    } finally {
      lock.unlock();
    }
    for (Waiter waiter : granted) {
      // A request cancelled just now returns what it was granted.
      if (!waiter.future().complete(null)) {
        release(waiter.reservation(), waiter.bytes());
      }
    }
    if (mayStall && !revokeSome()) {
      failIfHopeless();
    }
  }

  /** Whether a revocation runs or was started. */
  private boolean revokeSome() {
    // Owners are asked for their bytes without the lock, because they are foreign code.
    Optional<Reservation> best = Optional.empty();
    long most = 0;
    for (Reservation candidate : candidates()) {
      long revocable = candidate.revocable().revocableBytes();
      if (revocable > most) {
        most = revocable;
        best = Optional.of(candidate);
      }
    }
    Reservation chosen;
    long lackingBytes;
    long releasesBefore;
    lock.lock();
    try {
      if (open.stream().anyMatch(reservation -> reservation.revoking)) {
        return true;
      }
      if (best.isEmpty() || waiters.isEmpty() || best.get().closed) {
        return false;
      }
      chosen = best.get();
      chosen.revoking = true;
      releasesBefore = chosen.releaseCount;
      long freeBytes = limitBytes - reservedBytes;
      lackingBytes = Math.max(1, waiters.get(0).bytes() - freeBytes);
    } finally {
      lock.unlock();
    }
    CompletableFuture<Void> done;
    try {
      done = chosen.revocable().requestRevoke(lackingBytes);
    } catch (RuntimeException failure) {
      done = CompletableFuture.failedFuture(failure);
    }
    done.whenComplete((nothing, failure) -> revoked(chosen, releasesBefore));
    return true;
  }

  private List<Reservation> candidates() {
    lock.lock();
    try {
      return open.stream()
          .filter(reservation -> reservation.fruitlessAt != reservation.releaseCount)
          .toList();
    } finally {
      lock.unlock();
    }
  }

  private void revoked(Reservation reservation, long releasesBefore) {
    lock.lock();
    try {
      reservation.revoking = false;
      // An owner that gave nothing is not asked again before it released something.
      reservation.fruitlessAt = reservation.releaseCount == releasesBefore ? releasesBefore : -1;
      lastProgressNanos = System.nanoTime();
    } finally {
      lock.unlock();
    }
    settle();
  }

  private void failIfHopeless() {
    Waiter victim = null;
    MillraceException failure = null;
    lock.lock();
    try {
      if (waiters.isEmpty() || open.stream().anyMatch(reservation -> reservation.revoking)) {
        return;
      }
      // Bytes that came back just now are handed out by the thread that released them.
      if (waiters.stream().anyMatch(waiter -> waiter.bytes() <= limitBytes - reservedBytes)) {
        return;
      }
      long stalledNanos = System.nanoTime() - lastProgressNanos;
      boolean stalled = stalledNanos >= TimeUnit.MILLISECONDS.toNanos(stallMillis);
      if (stalled || allHoldersWait()) {
        victim = waiters.removeLast();
        failure = exhausted(victim.reservation(), victim.bytes());
        lastProgressNanos = System.nanoTime();
      }
      if (!waiters.isEmpty()) {
        scheduleCheck();
      }
    } finally {
      lock.unlock();
    }
    if (victim != null) {
      victim.future().completeExceptionally(failure);
    }
  }

  private boolean allHoldersWait() {
    Set<Reservation> waiting = new LinkedHashSet<>();
    waiters.forEach(waiter -> waiting.add(waiter.reservation()));
    return open.stream()
        .allMatch(reservation -> reservation.reservedBytes == 0 || waiting.contains(reservation));
  }

  private void scheduleCheck() {
    if (!checkScheduled) {
      checkScheduled = true;
      CompletableFuture.delayedExecutor(stallMillis, TimeUnit.MILLISECONDS, Runnable::run)
          .execute(this::check);
    }
  }

  private void check() {
    lock.lock();
    try {
      checkScheduled = false;
    } finally {
      lock.unlock();
    }
    settle();
  }

  private MillraceException exhausted(Reservation reservation, long bytes) {
    return new MillraceException(
        ErrorCode.MEMORY_EXHAUSTED,
        "Memory ran out and nothing can be spilled; raise --memory: "
            + reservation.owner()
            + " needs "
            + bytes
            + " bytes more, holds "
            + reservation.reservedBytes
            + "; reserved "
            + reservedBytes
            + " of "
            + limitBytes);
  }

  private static MillraceException closed(Reservation reservation) {
    return new MillraceException(
        ErrorCode.CANCELLED, "A memory reservation was closed: " + reservation.owner());
  }

  private static void requireAmount(long bytes) {
    if (bytes < 0) {
      throw new MillraceException(
          ErrorCode.INTERNAL_ERROR, "An amount of memory is not negative: " + bytes);
    }
  }

  @Override
  public String toString() {
    return "memory pool of " + limitBytes + " bytes";
  }
}
