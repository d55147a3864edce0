package io.millrace.core.spi;

/**
 * Reads one split. Used by one thread at a time; blocking reads run elsewhere and come back as
 * {@link Step.Blocked}.
 */
public interface BatchSource extends AutoCloseable {

  /** The next step: Output, Blocked or Finished; never NeedInput. */
  Step poll();

  /** Bytes read from storage so far. */
  long readBytes();

  /** Stops reads in flight and releases everything; legal in any state, twice. */
  @Override
  void close();
}
