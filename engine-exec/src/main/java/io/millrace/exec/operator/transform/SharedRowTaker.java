package io.millrace.exec.operator.transform;

import io.millrace.core.spi.RowTaker;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** A row taker that the drivers of a Fetch share; opened on first use, off their threads. */
public final class SharedRowTaker implements AutoCloseable {
  private final Supplier<RowTaker> opener;

  // Guarded by this.
  private CompletableFuture<RowTaker> taker;
  private boolean closed;

  /**
   * @param opener may block
   */
  public SharedRowTaker(Supplier<RowTaker> opener) {
    this.opener = opener;
  }

  /**
   * @param blocking runs the opener
   */
  synchronized CompletableFuture<RowTaker> taker(
      Function<Supplier<RowTaker>, CompletableFuture<RowTaker>> blocking) {
    if (taker == null) {
      taker = blocking.apply(opener);
    }
    return taker;
  }

  /** No take may be running. */
  @Override
  public synchronized void close() {
    if (!closed && taker != null && taker.isDone() && !taker.isCompletedExceptionally()) {
      taker.join().close();
    }
    closed = true;
  }
}
