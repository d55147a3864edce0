package io.millrace.exec.operator.aggregate;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.Step;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Merges spilled groups, one partition after the other, and gives their results. */
final class SpilledGroupMerge implements AutoCloseable {
  private final SpilledGroups spilled;
  private final List<AggregateKernel> kernels;
  private final OperatorContext context;
  private AggregateOperator merging;
  private int partition;
  private CompletableFuture<Optional<Batch>> reading;

  SpilledGroupMerge(SpilledGroups spilled, List<AggregateKernel> kernels, OperatorContext context) {
    this.spilled = spilled;
    this.kernels = kernels;
    this.context = context;
  }

  /** Output, Blocked or Finished. */
  Step advance() {
    while (partition < SpilledGroups.partitionCount()) {
      if (merging == null) {
        merging = new AggregateOperator(spilled.mergePlan(), kernels, false);
        merging.open(context);
      }
      Step step = merging.advance();
      if (step instanceof Step.Finished) {
        merging.close();
        merging = null;
        partition++;
      } else if (step instanceof Step.NeedInput) {
        Step.Blocked blocked = feed();
        if (blocked != null) {
          return blocked;
        }
      } else {
        return step;
      }
    }
    return Step.FINISHED;
  }

  private Step.Blocked feed() {
    if (reading == null) {
      int wanted = partition;
      reading = context.supplyBlocking(() -> spilled.read(wanted));
    }
    if (!reading.isDone()) {
      return new Step.Blocked(reading.handle((batch, failure) -> null), Step.BlockReason.IO);
    }
    CompletableFuture<Optional<Batch>> done = reading;
    reading = null;
    Optional<Batch> batch = done.join();
    batch.ifPresentOrElse(merging::addInput, merging::noMoreInput);
    return null;
  }

  @Override
  public void close() {
    if (merging != null) {
      merging.close();
      merging = null;
    }
    if (reading != null) {
      context.track(
          reading.whenComplete(
              (batch, failure) -> {
                if (batch != null) {
                  batch.ifPresent(Batch::close);
                }
              }));
      reading = null;
    }
  }
}
