package io.millrace.exec.pipeline;

import io.millrace.core.type.Schema;

/** The first stage of a pipeline: gives batches, takes none. Never answers NeedInput. */
public interface SourceOperator extends PipelineStage {

  /** The columns of its output batches. */
  Schema outputSchema();
}
