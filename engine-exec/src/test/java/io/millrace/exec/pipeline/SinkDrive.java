package io.millrace.exec.pipeline;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.Step;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Feeds a sink by hand. */
public final class SinkDrive {
  private SinkDrive() {}

  /** Gives the sink all batches and drives it to its end; owns the batches. */
  public static void toEnd(String name, SinkOperator sink, List<Batch> batches, TaskContext task) {
    DriverStage stage = new DriverStage(sink, 1, name, () -> {});
    stage.open(task);
    int next = 0;
    try {
      while (true) {
        switch (stage.advance()) {
          case Step.NeedInput needInput -> {
            if (next == batches.size()) {
              stage.noMoreInput();
            } else {
              long bytes = batches.get(next).retainedBytes();
              for (Step.Blocked blocked = stage.reserveInput(bytes);
                  blocked != null;
                  blocked = stage.reserveInput(bytes)) {
                await(blocked, stage);
              }
              stage.addInput(batches.get(next++), bytes);
            }
          }
          case Step.Blocked blocked -> await(blocked, stage);
          case Step.Finished finished -> {
            return;
          }
          case Step.Output output -> throw new AssertionError("a sink gave a batch");
        }
      }
    } finally {
      batches.subList(next, batches.size()).forEach(Batch::close);
      stage.close();
    }
  }

  private static void await(Step.Blocked blocked, DriverStage stage) {
    try {
      blocked.ready().get(20, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw stage.located(failure);
    } catch (InterruptedException | TimeoutException failure) {
      throw new AssertionError(failure);
    }
  }
}
