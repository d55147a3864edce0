package io.millrace.cluster.actor;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import io.millrace.cluster.protocol.CoordinatorMessage;
import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.spi.UdfInvoker;
import io.millrace.udf.actor.ActorUdfInvoker;
import java.util.concurrent.CompletableFuture;

/** A worker's node of the Akka cluster. */
public final class WorkerNode implements AutoCloseable {
  private static final long SHUTDOWN_SECONDS = 10;

  private final ActorSystem<Object> system;
  private final ActorRef<CoordinatorMessage> coordinator;

  private WorkerNode(ActorSystem<Object> system, ActorRef<CoordinatorMessage> coordinator) {
    this.system = system;
    this.coordinator = coordinator;
  }

  /** What a worker says about itself. */
  public record Options(
      WorkerId worker,
      String host,
      Endpoint endpoint,
      ResourceVector resources,
      String token,
      String version) {}

  /**
   * Starts the node, joins the coordinator's cluster and registers until it is answered.
   *
   * @param coordinatorReference what {@link CoordinatorNode#reference()} gave
   * @param host gets what the coordinator asks for
   */
  public static WorkerNode start(Options options, String coordinatorReference, TaskHost host) {
    // The guardian must know the coordinator, whose reference is resolved by the system itself.
    CompletableFuture<ActorRef<CoordinatorMessage>> resolved = new CompletableFuture<>();
    WorkerActor.Offer offer =
        new WorkerActor.Offer(
            options.worker(),
            options.endpoint(),
            options.resources(),
            options.token(),
            options.version());
    ActorSystem<Object> system =
        ActorSystem.create(
            Behaviors.setup(
                context -> {
                  ActorRef<CoordinatorMessage> coordinator =
                      ActorRefResolver.get(context.getSystem())
                          .resolveActorRef(coordinatorReference);
                  resolved.complete(coordinator);
                  return WorkerActor.create(coordinator, offer, host);
                }),
            NodeConfiguration.SYSTEM_NAME,
            NodeConfiguration.of(NodeConfiguration.WORKER_ROLE, options.host(), 0));
    ActorRef<CoordinatorMessage> coordinator = resolved.join();
    Cluster.get(system).manager().tell(Join.create(coordinator.path().address()));
    return new WorkerNode(system, coordinator);
  }

  /** Sends a report; may be called from any thread. */
  public void report(CoordinatorMessage message) {
    coordinator.tell(message);
  }

  /** Runs user-defined functions in actors of this node, one per slot. */
  public UdfInvoker udfInvoker() {
    return new ActorUdfInvoker(system);
  }

  /** Completes when the node has ended, also when the cluster put it out. */
  public CompletableFuture<Void> ended() {
    return system.getWhenTerminated().toCompletableFuture().thenApply(done -> null);
  }

  @Override
  public void close() {
    CoordinatorNode.shutDown(system, SHUTDOWN_SECONDS);
  }
}
