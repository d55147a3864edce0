package io.millrace.core.udf;

import java.io.Serializable;

/**
 * A user-defined function with state, typically a model. One thread uses an instance at a time. The
 * constructor and {@link #open} run once per slot for the whole query; {@link #close} always runs,
 * also after a failure.
 */
public interface StatefulFunction extends AutoCloseable {

  /** Loads what the calls need. */
  default void open(UdfContext context) throws Exception {}

  /** Appends exactly one value per input row to the output. */
  void apply(UdfBatch input, UdfOutput output) throws Exception;

  @Override
  default void close() throws Exception {}

  /** Makes an instance on the worker that runs it. */
  @FunctionalInterface
  interface Factory extends Serializable {
    StatefulFunction create() throws Exception;
  }
}
