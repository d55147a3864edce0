package io.millrace.udf.instance;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.spi.UdfPool;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfReference;
import java.util.concurrent.CompletableFuture;

/**
 * Instances of one function that pull calls from one queue, started as calls come. What runs them,
 * threads or actors, is the subclass's.
 */
public abstract class InstancePool implements UdfPool {
  private static final int CALLS_PER_INSTANCE = 2;

  /** A function that ignores its interrupt keeps its thread; closing does not wait for ever. */
  private static final long CLOSE_WAIT_MILLIS = 10_000;

  private final UdfReference reference;
  private final UdfImplementation implementation;
  private final UdfEnvironment environment;
  private final int instanceLimit;
  private final UdfQueue queue = new UdfQueue();
  private final UdfStatistics statistics = new UdfStatistics();
  private final UdfTimeouts timeouts = new UdfTimeouts();

  protected InstancePool(
      UdfReference reference, UdfImplementation implementation, UdfEnvironment environment) {
    this.reference = reference;
    this.implementation = implementation;
    this.environment = environment;
    this.instanceLimit = UdfSlots.instanceLimit(reference, environment);
  }

  /** Makes sure that some instance will take one more call; starts one when all are busy. */
  protected abstract void provideInstance();

  /** A call waits in the queue. */
  protected abstract void callArrived();

  /** Interrupts what runs and waits for all instances to be closed, so long at most. */
  protected abstract void endInstances(long waitMillis);

  /** What runs the calls of the instance of this number. */
  protected final UdfWorker worker(int number) {
    return new UdfWorker(reference, implementation, environment, number, statistics, timeouts);
  }

  protected final UdfQueue queue() {
    return queue;
  }

  protected final UdfReference reference() {
    return reference;
  }

  protected final UdfEnvironment environment() {
    return environment;
  }

  protected final int instanceLimit() {
    return instanceLimit;
  }

  @Override
  public final CompletableFuture<ColumnVector> call(Batch arguments) {
    UdfCall call = new UdfCall(arguments.move());
    try {
      provideInstance();
    } catch (RuntimeException | Error failure) {
      call.fail(failure);
      return call.result();
    }
    queue.put(call);
    callArrived();
    return call.result();
  }

  @Override
  public final int inFlightLimit() {
    return instanceLimit * CALLS_PER_INSTANCE;
  }

  @Override
  public final UdfCounters counters() {
    return statistics.counters();
  }

  @Override
  public final void close() {
    queue.close();
    endInstances(CLOSE_WAIT_MILLIS);
    timeouts.close();
  }
}
