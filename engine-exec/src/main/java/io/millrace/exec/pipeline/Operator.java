package io.millrace.exec.pipeline;

import io.millrace.core.type.Schema;

/** Turns batches into batches, with one input: a pipeline is linear. */
public interface Operator extends InputStage {

  /** The columns of its output batches. */
  Schema outputSchema();
}
