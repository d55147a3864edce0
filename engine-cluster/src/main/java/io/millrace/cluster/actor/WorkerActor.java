package io.millrace.cluster.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.actor.typed.javadsl.TimerScheduler;
import io.millrace.cluster.protocol.CoordinatorMessage;
import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.WorkerMessage;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.WorkerId;
import java.time.Duration;

/**
 * Offers the worker to the coordinator until it answers, then hands on what the coordinator asks
 * for. It never waits: the task host does its work on threads of its own.
 */
final class WorkerActor extends AbstractBehavior<Object> {
  private static final Duration REGISTER_INTERVAL = Duration.ofMillis(500);
  private static final String REGISTER_TIMER = "register";

  /** Everything a worker says about itself when it registers. */
  record Offer(
      WorkerId worker, Endpoint endpoint, ResourceVector resources, String token, String version) {}

  /** Sent by the timer; never travels. */
  private record Register() {}

  private final ActorRef<CoordinatorMessage> coordinator;
  private final TimerScheduler<Object> timers;
  private final Offer offer;
  private final TaskHost host;
  private boolean answered;

  private WorkerActor(
      ActorContext<Object> context,
      TimerScheduler<Object> timers,
      ActorRef<CoordinatorMessage> coordinator,
      Offer offer,
      TaskHost host) {
    super(context);
    this.timers = timers;
    this.coordinator = coordinator;
    this.offer = offer;
    this.host = host;
  }

  static Behavior<Object> create(
      ActorRef<CoordinatorMessage> coordinator, Offer offer, TaskHost host) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  WorkerActor actor = new WorkerActor(context, timers, coordinator, offer, host);
                  timers.startTimerWithFixedDelay(
                      REGISTER_TIMER, new Register(), Duration.ZERO, REGISTER_INTERVAL);
                  return actor;
                }));
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(Register.class, tick -> register())
        .onMessage(WorkerMessage.class, this::onMessage)
        .build();
  }

  private Behavior<Object> onMessage(WorkerMessage message) {
    switch (message) {
      case WorkerMessage.WorkerAccepted() -> {
        if (!answered) {
          answered = true;
          timers.cancel(REGISTER_TIMER);
          host.accepted();
        }
      }
      case WorkerMessage.WorkerRejected rejected -> {
        timers.cancel(REGISTER_TIMER);
        host.rejected(rejected.error());
      }
      case WorkerMessage.LaunchTask launch -> host.launch(launch.attempt());
      case WorkerMessage.AbortTask abort -> host.abort(abort.attempt());
      case WorkerMessage.DropOutput drop -> host.dropOutput(drop.attempt());
      case WorkerMessage.ReleaseQuery release -> host.release(release.query());
    }
    return this;
  }

  private Behavior<Object> register() {
    String replyTo =
        ActorRefResolver.get(getContext().getSystem())
            .toSerializationFormat(getContext().getSelf());
    coordinator.tell(
        new CoordinatorMessage.RegisterWorker(
            offer.worker(),
            replyTo,
            offer.endpoint(),
            offer.resources(),
            offer.token(),
            offer.version()));
    return this;
  }
}
