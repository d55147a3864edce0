package io.millrace.udf.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.DispatcherSelector;
import akka.actor.typed.PostStop;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.millrace.udf.instance.UdfCall;
import io.millrace.udf.instance.UdfQueue;
import io.millrace.udf.instance.UdfWorker;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One instance of a function on one slot. It pulls calls when it is free and reports to its pool
 * when there are none; its worker replaces the instance after a failure, so the actor itself never
 * restarts with a half-made state.
 */
final class UdfActor extends AbstractBehavior<UdfActor.Message> {

  /** What the actor is told; never leaves the process. */
  sealed interface Message {}

  /** Calls may be waiting. */
  record Pull() implements Message {}

  /** Go on after one call, so that a stop is seen between two. */
  record Next() implements Message {}

  /** Close the instance and end. */
  record Stop() implements Message {}

  /** Told when the actor found nothing to do. */
  interface IdleListener {
    void idle(ActorRef<Message> actor);
  }

  private final UdfQueue queue;
  private final UdfWorker worker;
  private final IdleListener listener;
  private final CompletableFuture<Void> ended;

  private UdfActor(
      ActorContext<Message> context,
      UdfQueue queue,
      UdfWorker worker,
      IdleListener listener,
      CompletableFuture<Void> ended) {
    super(context);
    this.queue = queue;
    this.worker = worker;
    this.listener = listener;
    this.ended = ended;
  }

  /**
   * @param ended completed when the instance is closed
   */
  static Behavior<Message> create(
      UdfQueue queue, UdfWorker worker, IdleListener listener, CompletableFuture<Void> ended) {
    return Behaviors.setup(context -> new UdfActor(context, queue, worker, listener, ended));
  }

  /** A call may take seconds: each actor has a thread of its own. */
  static DispatcherSelector dispatcher() {
    return DispatcherSelector.fromConfig("millrace.udf.dispatcher");
  }

  @Override
  public Receive<Message> createReceive() {
    return newReceiveBuilder()
        .onMessage(Pull.class, message -> runNext())
        .onMessage(Next.class, message -> runNext())
        .onMessage(Stop.class, message -> Behaviors.stopped())
        .onSignal(PostStop.class, signal -> closed())
        .build();
  }

  private Behavior<Message> runNext() {
    Optional<UdfCall> call = queue.poll();
    if (call.isEmpty()) {
      listener.idle(getContext().getSelf());
      return this;
    }
    worker.run(call.get());
    getContext().getSelf().tell(new Next());
    return this;
  }

  private Behavior<Message> closed() {
    worker.close();
    ended.complete(null);
    return this;
  }
}
