package io.millrace.exec.pipeline;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Moves batches through one linear pipeline, one bounded step at a time. Checks the cancellation
 * before each step; closes its stages in reverse order, whatever happens. Used by one thread at a
 * time.
 */
final class Driver {

  /** How a time slice ended. */
  sealed interface Outcome {
    /** There is more to do. */
    record Yielded() implements Outcome {}

    /** Nothing can be done before the future completes. */
    record Waiting(CompletableFuture<Void> ready) implements Outcome {}

    /** Ended and closed; the failure is null after success. */
    record Ended(MillraceException failure) implements Outcome {}
  }

  private static final Outcome YIELDED = new Outcome.Yielded();

  private final TaskContext task;
  private final List<DriverStage> stages;
  private final int last;

  /** The stage to advance next; stages before {@link #firstLive} have finished. */
  private int position;

  private int firstLive;
  private boolean opened;
  private boolean ended;
  private CompletableFuture<Void> waitingFor;

  /** A revocation that runs; no stage is advanced before its end. */
  private CompletableFuture<Void> revocation;

  /** The stage that was asked for it. */
  private DriverStage revoking;

  private long waitStartNanos;

  /** A batch on its way into the stage at {@link #position}, until its memory is reserved. */
  private Batch handedOn;

  private long handedOnBytes;

  /**
   * @param wake makes the driver's next slice come soon; called from any thread
   */
  Driver(Pipeline pipeline, int driver, TaskContext task, Runnable wake) {
    this.task = task;
    List<DriverStage> made = new ArrayList<>();
    made.add(stage(pipeline.source(), driver, wake));
    pipeline.operators().forEach(factory -> made.add(stage(factory, driver, wake)));
    made.add(stage(pipeline.sink(), driver, wake));
    this.stages = List.copyOf(made);
    this.last = stages.size() - 1;
    this.position = last;
  }

  private static DriverStage stage(
      OperatorFactory<? extends PipelineStage> factory, int driver, Runnable wake) {
    return new DriverStage(factory.create(driver), factory.nodeId(), factory.name(), wake);
  }

  /** Runs until the time is over, there is nothing to do, or the end. Never throws. */
  Outcome runSlice(long sliceNanos) {
    if (ended) {
      return new Outcome.Ended(null);
    }
    try {
      Outcome outcome = steps(System.nanoTime() + sliceNanos);
      if (outcome instanceof Outcome.Ended) {
        return end(null);
      }
      return outcome;
    } catch (Throwable failure) {
      return end(MillraceException.of(failure));
    }
  }

  private Outcome steps(long deadlineNanos) {
    checkCancelled();
    if (!opened) {
      opened = true;
      for (DriverStage stage : stages) {
        stage.open(task);
      }
    }
    Outcome revoking = revokeIfAsked();
    if (revoking != null) {
      return revoking;
    }
    endWait();
    do {
      checkCancelled();
      Step.Blocked blocked = handedOn == null ? advance() : handOn();
      if (blocked != null && !blocked.ready().isDone()) {
        beginWait(blocked.ready());
        return new Outcome.Waiting(blocked.ready());
      }
      if (blocked != null) {
        throwFailure(blocked.ready(), stages.get(position));
      }
      if (ended) {
        return new Outcome.Ended(null);
      }
    } while (System.nanoTime() < deadlineNanos);
    return YIELDED;
  }

  /** Advances the current stage and moves on; gives the step when it blocked. */
  private Step.Blocked advance() {
    DriverStage stage = stages.get(position);
    switch (stage.advance()) {
      case Step.NeedInput needInput -> {
        if (position == firstLive) {
          throw stage.located(
              new MillraceException(
                  ErrorCode.INTERNAL_ERROR, "A stage wants input after its end."));
        }
        position--;
      }
      case Step.Output output -> {
        if (position == last) {
          output.batch().close();
          throw stage.located(
              new MillraceException(ErrorCode.INTERNAL_ERROR, "A sink gave a batch."));
        }
        handedOn = output.batch();
        handedOnBytes = handedOn.retainedBytes();
        stage.countOutputBytes(handedOnBytes);
        position++;
        return handOn();
      }
      case Step.Blocked blocked -> {
        return blocked;
      }
      case Step.Finished finished -> finish();
    }
    return null;
  }

  private Step.Blocked handOn() {
    DriverStage stage = stages.get(position);
    Step.Blocked blocked = stage.reserveInput(handedOnBytes);
    if (blocked == null) {
      Batch batch = handedOn;
      handedOn = null;
      stage.addInput(batch, handedOnBytes);
    }
    return blocked;
  }

  /** The current stage gives no more: stops it and all before it, and tells the next one. */
  private void finish() {
    closeStages(position);
    firstLive = position + 1;
    if (position == last) {
      ended = true;
    } else {
      position++;
      stages.get(position).noMoreInput();
    }
  }

  private void closeStages(int from) {
    MillraceException first = null;
    for (int index = from; index >= firstLive; index--) {
      try {
        stages.get(index).close();
      } catch (Throwable failure) {
        first = first == null ? MillraceException.of(failure) : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Null when no revocation was asked for or all are done. */
  private Outcome revokeIfAsked() {
    for (DriverStage stage : stages.subList(firstLive, stages.size())) {
      if (revocation == null) {
        revocation = stage.revokeIfAsked();
        revoking = stage;
      }
      if (revocation != null && !revocation.isDone()) {
        return new Outcome.Waiting(revocation);
      }
      if (revocation != null) {
        CompletableFuture<Void> done = revocation;
        revocation = null;
        throwFailure(done, revoking);
      }
    }
    return null;
  }

  private void beginWait(CompletableFuture<Void> ready) {
    waitingFor = ready;
    waitStartNanos = System.nanoTime();
  }

  private void endWait() {
    if (waitingFor != null) {
      CompletableFuture<Void> waited = waitingFor;
      waitingFor = null;
      stages.get(position).countWait(System.nanoTime() - waitStartNanos);
      if (waited.isDone()) {
        throwFailure(waited, stages.get(position));
      }
    }
  }

  private static void throwFailure(CompletableFuture<Void> done, DriverStage stage) {
    if (done.isCompletedExceptionally()) {
      Throwable failure =
          done.handle((nothing, thrown) -> thrown).getNow(new IllegalStateException("not done"));
      throw stage.located(failure);
    }
  }

  private void checkCancelled() {
    if (task.cancellation().isCancelled()) {
      throw task.cancellation().cause();
    }
  }

  private Outcome end(MillraceException failure) {
    ended = true;
    MillraceException first = failure;
    try {
      if (handedOn != null) {
        Batch batch = handedOn;
        handedOn = null;
        batch.close();
      }
    } catch (Throwable closing) {
      first = first == null ? MillraceException.of(closing) : first;
    }
    try {
      closeStages(last);
    } catch (Throwable closing) {
      first = first == null ? MillraceException.of(closing) : first;
    }
    return new Outcome.Ended(first);
  }
}
