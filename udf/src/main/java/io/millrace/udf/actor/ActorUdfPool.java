package io.millrace.udf.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.Props;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.spi.UdfPool;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfReference;
import io.millrace.udf.instance.UdfCall;
import io.millrace.udf.instance.UdfQueue;
import io.millrace.udf.instance.UdfSlots;
import io.millrace.udf.instance.UdfStatistics;
import io.millrace.udf.instance.UdfTimeouts;
import io.millrace.udf.instance.UdfWorker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Instances of one function in actors of this worker, one per slot, started as calls come. */
final class ActorUdfPool implements UdfPool {
  private static final int CALLS_PER_INSTANCE = 2;
  private static final long CLOSE_WAIT_MILLIS = 10_000;

  private final ActorSystem<?> system;
  private final UdfReference reference;
  private final UdfImplementation implementation;
  private final UdfEnvironment environment;
  private final int instanceLimit;
  private final UdfQueue queue = new UdfQueue();
  private final UdfStatistics statistics = new UdfStatistics();
  private final UdfTimeouts timeouts = new UdfTimeouts();
  private final List<ActorRef<UdfActor.Message>> actors = new ArrayList<>();
  private final ArrayDeque<ActorRef<UdfActor.Message>> idle = new ArrayDeque<>();
  private final List<UdfWorker> workers = new ArrayList<>();
  private final List<CompletableFuture<Void>> endings = new ArrayList<>();

  ActorUdfPool(
      ActorSystem<?> system,
      UdfReference reference,
      UdfImplementation implementation,
      UdfEnvironment environment) {
    this.system = system;
    this.reference = reference;
    this.implementation = implementation;
    this.environment = environment;
    this.instanceLimit = UdfSlots.instanceLimit(reference, environment);
  }

  @Override
  public CompletableFuture<ColumnVector> call(Batch arguments) {
    UdfCall call = new UdfCall(arguments.move());
    queue.put(call);
    synchronized (actors) {
      if (!idle.isEmpty()) {
        idle.poll().tell(new UdfActor.Pull());
      } else if (actors.size() < instanceLimit && !queue.isClosed()) {
        start().tell(new UdfActor.Pull());
      }
    }
    return call.result();
  }

  private ActorRef<UdfActor.Message> start() {
    int number = actors.size();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    UdfWorker worker =
        new UdfWorker(reference, implementation, environment, number, statistics, timeouts);
    Props props = UdfActor.dispatcher();
    ActorRef<UdfActor.Message> actor =
        system.systemActorOf(
            UdfActor.create(queue, worker, this::becameIdle, ended),
            "udf-" + environment.queryId() + "-" + Integer.toHexString(hashCode()) + "-" + number,
            props);
    actors.add(actor);
    workers.add(worker);
    endings.add(ended);
    return actor;
  }

  /** A call may have come between the actor's look and this report: then it looks again. */
  private void becameIdle(ActorRef<UdfActor.Message> actor) {
    synchronized (actors) {
      if (queue.waitingCount() > 0) {
        actor.tell(new UdfActor.Pull());
      } else {
        idle.add(actor);
      }
    }
  }

  @Override
  public int inFlightLimit() {
    return instanceLimit * CALLS_PER_INSTANCE;
  }

  @Override
  public UdfCounters counters() {
    return statistics.counters();
  }

  @Override
  public void close() {
    queue.close();
    List<CompletableFuture<Void>> waits;
    synchronized (actors) {
      actors.forEach(actor -> actor.tell(new UdfActor.Stop()));
      workers.forEach(UdfWorker::interrupt);
      waits = List.copyOf(endings);
    }
    try {
      CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new))
          .get(CLOSE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException wanted) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException late) {
      system.log().warn("A function did not end in time: {}", reference.name());
    }
    timeouts.close();
  }
}
