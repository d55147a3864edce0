package io.millrace.exec.pipeline;

import io.millrace.core.spi.Step;
import java.util.concurrent.CompletableFuture;

/**
 * One element of a linear pipeline: source, operator or sink. Single-threaded: only its driver
 * calls it, though not always on the same thread. Constructors only assign.
 */
public interface PipelineStage extends AutoCloseable {
  /**
   * The answer of a stage that did a piece of work, has nothing to give yet, and is to be advanced
   * again: the driver may give others their turn before.
   */
  Step.Blocked CONTINUE =
      new Step.Blocked(CompletableFuture.completedFuture(null), Step.BlockReason.UPSTREAM);

  /** Acquires what it needs; called once, before anything else but close. Does not block. */
  void open(OperatorContext context);

  /**
   * Does a bounded amount of work; never blocks the thread. Asks for memory before it allocates and
   * answers Blocked(MEMORY) when there is none.
   */
  Step advance();

  /** Bytes that {@link #revoke} could give back now; an estimate. */
  default long revocableBytes() {
    return 0;
  }

  /**
   * Gives memory back by spilling; called between steps, also while the stage is blocked.
   *
   * @param targetBytes how much is lacking; more or less may be given
   * @return completes when done; the stage is not advanced before that
   */
  default CompletableFuture<Void> revoke(long targetBytes) {
    return CompletableFuture.completedFuture(null);
  }

  /** Releases everything; legal in any state, twice. */
  @Override
  void close();
}
