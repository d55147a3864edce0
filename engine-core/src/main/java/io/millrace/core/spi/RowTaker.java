package io.millrace.core.spi;

import io.millrace.core.batch.Batch;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads values of single rows by address. Safe for use by several threads. */
public interface RowTaker extends AutoCloseable {

  /**
   * Takes rows, off the calling thread.
   *
   * @param addresses strictly ascending, without duplicates, none null
   * @param columns names of columns of the source
   * @return a batch with these columns and one row per address, in the same order; the caller owns
   *     it. Fails with SOURCE_CHANGED when an address no longer exists: never another row's value
   */
  CompletableFuture<Taken> take(long[] addresses, List<String> columns);

  /**
   * A take's result.
   *
   * @param readBytes bytes read from storage for it
   */
  record Taken(Batch batch, long readBytes) {}

  @Override
  void close();
}
