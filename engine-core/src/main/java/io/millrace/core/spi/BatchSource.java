package io.millrace.core.spi;

import java.util.List;

/**
 * Reads one split. Used by one thread at a time; blocking reads run elsewhere and come back as
 * {@link Step.Blocked}.
 */
public interface BatchSource extends AutoCloseable {

  /**
   * Conditions on output columns that rows must meet to be of use; called at most once, before the
   * first poll. A source that takes them skips what cannot pass and gives only rows that pass those
   * filters that are useful.
   *
   * @return whether it takes them; else the caller tests the rows that it gives
   */
  default boolean restrict(List<RuntimeFilter> filters) {
    return false;
  }

  /** The next step: Output, Blocked or Finished; never NeedInput. */
  Step poll();

  /** Bytes read from storage so far. */
  long readBytes();

  /** Bytes that it holds in buffers of its own, besides batches that it gave; an estimate. */
  default long heldBytes() {
    return 0;
  }

  /** Stops reads in flight and releases everything; legal in any state, twice. */
  @Override
  void close();
}
