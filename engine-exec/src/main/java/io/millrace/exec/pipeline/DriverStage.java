package io.millrace.exec.pipeline;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.spi.Step;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CompletableFuture;

/** One stage within its driver: measured, with its errors located and its memory accounted. */
final class DriverStage implements RevocableOwner {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final PipelineStage stage;
  private final int nodeId;
  private final String name;
  private final Runnable wakeDriver;
  private OperatorContext context;
  private boolean inputEnded;

  // Written by the driver, read by the pool.
  private volatile long revocableBytes;

  // Guarded by this; the target and future are of a revocation that the driver has not begun.
  private boolean closed;
  private long revokeTarget;
  private CompletableFuture<Void> revokeDone;

  DriverStage(PipelineStage stage, int nodeId, String name, Runnable wakeDriver) {
    this.stage = stage;
    this.nodeId = nodeId;
    this.name = name;
    this.wakeDriver = wakeDriver;
  }

  String label() {
    return nodeId < 0 ? name : name + "-" + nodeId;
  }

  void open(TaskContext task) {
    try {
      context = new OperatorContext(label(), task, task.metrics(nodeId, name), this);
      stage.open(context);
    } catch (Throwable failure) {
      throw located(failure);
    }
  }

  /** One step, measured. */
  Step advance() {
    long wallStart = System.nanoTime();
    long cpuStart = THREADS.getCurrentThreadCpuTime();
    try {
      Step step = stage.advance();
      switch (step) {
        case Step.NeedInput needInput -> context.memory().releaseInput();
        case Step.Finished finished -> context.memory().releaseInput();
        case Step.Output output -> {
          if (output.batch().rowCount() > 0) {
            context.metrics().addOutput(output.batch().rowCount(), 0);
          }
        }
        case Step.Blocked blocked -> {}
      }
      revocableBytes = stage.revocableBytes();
      return step;
    } catch (Throwable failure) {
      throw located(failure);
    } finally {
      long cpu = THREADS.getCurrentThreadCpuTime() - cpuStart;
      context.metrics().addTime(cpu, System.nanoTime() - wallStart);
    }
  }

  /** The bytes of a batch that it gave. */
  void countOutputBytes(long bytes) {
    context.metrics().addOutput(0, bytes);
  }

  void countWait(long nanos) {
    context.metrics().addTime(0, nanos);
  }

  /** Reserves room for the batch; null when granted. */
  Step.Blocked reserveInput(long bytes) {
    if (!((InputStage) stage).gathersInput()) {
      context.memory().countInput(bytes);
      return null;
    }
    try {
      return context.memory().reserveInput(bytes);
    } catch (Throwable failure) {
      throw located(failure);
    }
  }

  void addInput(Batch batch, long bytes) {
    context.metrics().addInput(batch.rowCount(), bytes);
    long wallStart = System.nanoTime();
    try {
      ((InputStage) stage).addInput(batch);
    } catch (Throwable failure) {
      throw located(failure);
    } finally {
      context.metrics().addTime(0, System.nanoTime() - wallStart);
    }
  }

  void noMoreInput() {
    if (inputEnded) {
      return;
    }
    inputEnded = true;
    try {
      ((InputStage) stage).noMoreInput();
    } catch (Throwable failure) {
      throw located(failure);
    }
  }

  void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      revocableBytes = 0;
    }
    try {
      stage.close();
    } catch (Throwable failure) {
      throw located(failure);
    } finally {
      if (context != null) {
        context.memory().close();
      }
      takeRevocation(CompletableFuture.completedFuture(null));
    }
  }

  MillraceException located(Throwable failure) {
    return MillraceException.of(failure).inOperator(label());
  }

  @Override
  public long revocableBytes() {
    return revocableBytes;
  }

  @Override
  public synchronized CompletableFuture<Void> requestRevoke(long targetBytes) {
    if (closed || revocableBytes == 0) {
      return CompletableFuture.completedFuture(null);
    }
    if (revokeDone == null) {
      revokeDone = new CompletableFuture<>();
    }
    revokeTarget = Math.max(revokeTarget, targetBytes);
    CompletableFuture<Void> done = revokeDone;
    wakeDriver.run();
    return done;
  }

  /** Begins a revocation that was asked for; null when there is none. */
  CompletableFuture<Void> revokeIfAsked() {
    long target;
    synchronized (this) {
      if (revokeDone == null) {
        return null;
      }
      target = revokeTarget;
    }
    CompletableFuture<Void> running;
    try {
      running = stage.revoke(target);
      revocableBytes = stage.revocableBytes();
    } catch (Throwable failure) {
      takeRevocation(CompletableFuture.failedFuture(failure));
      throw located(failure);
    }
    takeRevocation(running);
    return running;
  }

  private void takeRevocation(CompletableFuture<Void> running) {
    CompletableFuture<Void> asked;
    synchronized (this) {
      asked = revokeDone;
      revokeDone = null;
      revokeTarget = 0;
    }
    if (asked != null) {
      running.whenComplete(
          (nothing, failure) -> {
            if (failure == null) {
              asked.complete(null);
            } else {
              asked.completeExceptionally(failure);
            }
          });
    }
  }
}
