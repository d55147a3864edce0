package io.millrace.exec.pipeline;

import io.millrace.core.batch.Batch;

/** A stage that takes batches. */
public interface InputStage extends PipelineStage {

  /**
   * Takes a batch; legal only after NeedInput. Never fails: the driver reserved the batch's memory
   * first, see {@link OperatorMemory#keepInput}.
   *
   * @param input owned by the stage from here
   */
  void addInput(Batch input);

  /** No batch will come any more; called once. */
  void noMoreInput();
}
