package io.millrace.core.spi;

import io.millrace.core.batch.Batch;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.type.Schema;
import java.util.Optional;

/** The rows of a running query; reading slowly slows the query down. One reader. */
public interface ResultStream extends AutoCloseable {

  Schema schema();

  /**
   * Waits for the next batch, which the caller owns; empty at the end. An interrupt cancels the
   * query.
   *
   * @throws io.millrace.core.error.MillraceException the query's error
   */
  Optional<Batch> next();

  /** What the operators did so far; complete after the end. */
  QueryProfile profile();

  /** Cancels the query unless it has ended; returns when nothing of it runs any more. */
  @Override
  void close();
}
