package io.millrace.exec.pipeline;

/**
 * The last stage of a pipeline: takes batches, gives none. Finished before the end of the input
 * means that no more rows are wanted; the driver then stops the stages before it.
 */
public interface SinkOperator extends InputStage {}
