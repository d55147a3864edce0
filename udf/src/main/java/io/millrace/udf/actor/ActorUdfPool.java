package io.millrace.udf.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfReference;
import io.millrace.udf.instance.InstancePool;
import io.millrace.udf.instance.UdfWorker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Instances of one function in actors of this worker, one per slot. */
final class ActorUdfPool extends InstancePool {
  private final ActorSystem<?> system;
  private final List<ActorRef<UdfActor.Message>> actors = new ArrayList<>();
  private final ArrayDeque<ActorRef<UdfActor.Message>> idle = new ArrayDeque<>();
  private final List<UdfWorker> workers = new ArrayList<>();
  private final List<CompletableFuture<Void>> endings = new ArrayList<>();

  ActorUdfPool(
      ActorSystem<?> system,
      UdfReference reference,
      UdfImplementation implementation,
      UdfEnvironment environment) {
    super(reference, implementation, environment);
    this.system = system;
  }

  @Override
  protected void provideInstance() {
    synchronized (actors) {
      if (idle.isEmpty() && actors.size() < instanceLimit() && !queue().isClosed()) {
        idle.add(start());
      }
    }
  }

  @Override
  protected void callArrived() {
    synchronized (actors) {
      if (!idle.isEmpty()) {
        idle.poll().tell(new UdfActor.Pull());
      }
    }
  }

  private ActorRef<UdfActor.Message> start() {
    int number = actors.size();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    UdfWorker worker = worker(number);
    ActorRef<UdfActor.Message> actor =
        system.systemActorOf(
            UdfActor.create(queue(), worker, this::becameIdle, ended),
            "udf-" + environment().queryId() + "-" + Integer.toHexString(hashCode()) + "-" + number,
            UdfActor.dispatcher());
    actors.add(actor);
    workers.add(worker);
    endings.add(ended);
    return actor;
  }

  /** A call may have come between the actor's look and this report: then it looks again. */
  private void becameIdle(ActorRef<UdfActor.Message> actor) {
    synchronized (actors) {
      if (queue().waitingCount() > 0) {
        actor.tell(new UdfActor.Pull());
      } else {
        idle.add(actor);
      }
    }
  }

  @Override
  protected void endInstances(long waitMillis) {
    List<CompletableFuture<Void>> waits;
    synchronized (actors) {
      actors.forEach(actor -> actor.tell(new UdfActor.Stop()));
      workers.forEach(UdfWorker::interrupt);
      waits = List.copyOf(endings);
    }
    try {
      CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new))
          .get(waitMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException wanted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException late) {
      system.log().warn("A function did not end in time: {}", reference().name());
    }
  }
}
