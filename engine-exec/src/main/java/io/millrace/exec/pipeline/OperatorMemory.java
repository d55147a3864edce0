package io.millrace.exec.pipeline;

import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.Reservation;
import io.millrace.core.metrics.OperatorMetrics;
import io.millrace.core.spi.Step;
import java.util.concurrent.CompletableFuture;

/**
 * The reserved bytes of one stage: its state, and the input batch that the driver reserved for it.
 * Reserving does not allocate; a stage reserves first, then allocates.
 */
public final class OperatorMemory implements AutoCloseable {
  private final Reservation reservation;
  private final OperatorMetrics metrics;
  private long stateBytes;
  private long inputBytes;

  /** Bytes of the reservation, without what a waiting request will add. */
  private long reservedBytes;

  private CompletableFuture<Void> pending;
  private long pendingBytes;

  OperatorMemory(Reservation reservation, OperatorMetrics metrics) {
    this.reservation = reservation;
    this.metrics = metrics;
  }

  /**
   * Sets the bytes of the state; growing may have to wait.
   *
   * @param totalBytes all that the state will hold
   * @return null when granted, else what to answer from advance; ask again afterwards
   * @throws MillraceException MEMORY_EXHAUSTED when the bytes can never come
   */
  public Step.Blocked require(long totalBytes) {
    Step.Blocked blocked = resize(totalBytes + inputBytes);
    if (blocked == null) {
      stateBytes = totalBytes;
    }
    return blocked;
  }

  /**
   * Counts bytes that are held in any case, such as rows on their way, as far as there is room:
   * waiting for it could wait for ever, because these rows must move on before others give memory
   * back.
   */
  public void count(long totalBytes) {
    if (totalBytes <= stateBytes) {
      settle(totalBytes);
    } else if (pending == null && reservation.tryReserve(totalBytes - stateBytes)) {
      reservedBytes += totalBytes - stateBytes;
      stateBytes = totalBytes;
    }
  }

  /** Bytes of the state as last set. */
  public long stateBytes() {
    return stateBytes;
  }

  /** Lowers the bytes of the state; a larger number changes nothing. */
  public void settle(long totalBytes) {
    if (totalBytes < stateBytes) {
      stateBytes = totalBytes;
      shrink();
    }
  }

  /** The state keeps the input batch: its bytes, reserved by the driver, become the state's. */
  public void keepInput() {
    stateBytes += inputBytes;
    inputBytes = 0;
  }

  /** Reserves an input batch; null when granted. */
  Step.Blocked reserveInput(long bytes) {
    Step.Blocked blocked = resize(stateBytes + bytes);
    if (blocked == null) {
      inputBytes = bytes;
    }
    return blocked;
  }

  /** Reserves an input batch if there is room now; see {@link #count}. */
  void countInput(long bytes) {
    if (pending == null && reservation.tryReserve(bytes)) {
      reservedBytes += bytes;
      inputBytes += bytes;
    }
  }

  /** The stage is done with its input batch. */
  void releaseInput() {
    if (inputBytes > 0) {
      inputBytes = 0;
      shrink();
    }
  }

  /** Gives back what is over; legal while a request waits, which may need just these bytes. */
  private void shrink() {
    long surplus = reservedBytes - stateBytes - inputBytes;
    if (surplus > 0) {
      reservedBytes -= surplus;
      reservation.release(surplus);
    }
  }

  private Step.Blocked resize(long bytes) {
    while (true) {
      if (pending != null) {
        if (!pending.isDone()) {
          return new Step.Blocked(pending, Step.BlockReason.MEMORY);
        }
        CompletableFuture<Void> granted = pending;
        pending = null;
        throwFailure(granted);
        reservedBytes += pendingBytes;
      }
      if (reservedBytes >= bytes) {
        long surplus = reservedBytes - bytes;
        reservedBytes = bytes;
        reservation.release(surplus);
        metrics.recordHeldBytes(bytes);
        return null;
      }
      pendingBytes = bytes - reservedBytes;
      pending = reservation.reserve(pendingBytes);
    }
  }

  private static void throwFailure(CompletableFuture<Void> granted) {
    if (granted.isCompletedExceptionally()) {
      throw MillraceException.of(
          granted
              .handle((nothing, failure) -> failure)
              .getNow(new IllegalStateException("A request for memory is not done.")));
    }
  }

  @Override
  public void close() {
    reservation.close();
  }
}
