package io.millrace.exec.pipeline;

import io.millrace.core.batch.Batch;

/** A stage that takes batches. */
public interface InputStage extends PipelineStage {

  /**
   * Whether the stage gathers its input: then the driver waits until a batch's memory is reserved.
   * A stage that passes rows on gets them without waiting, because memory may come free only when
   * they have moved on.
   */
  default boolean gathersInput() {
    return false;
  }

  /**
   * Takes a batch; legal only after NeedInput. Never fails: the driver reserved the batch's memory
   * first, as far as {@link #gathersInput} asks for it; see {@link OperatorMemory#keepInput}.
   *
   * @param input owned by the stage from here
   */
  void addInput(Batch input);

  /** No batch will come any more; called once. */
  void noMoreInput();
}
