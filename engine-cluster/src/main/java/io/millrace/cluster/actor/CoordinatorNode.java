package io.millrace.cluster.actor;

import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.ActorSystem;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Join;
import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.SchedulePolicy;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.error.ErrorInfo;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The coordinator's node of the Akka cluster. All methods answer at once and from any thread. */
public final class CoordinatorNode implements AutoCloseable {
  private static final long SHUTDOWN_SECONDS = 10;

  private final ActorSystem<Object> system;

  private CoordinatorNode(ActorSystem<Object> system) {
    this.system = system;
  }

  /**
   * Starts the node as the first member of a cluster of its own.
   *
   * @param host address to bind to and to be known by
   * @param token the secret that workers must give, empty for none
   * @param version the engine's version, which workers must share
   */
  public static CoordinatorNode start(
      String host,
      String token,
      String version,
      SchedulePolicy policy,
      WorkerListener workerListener) {
    ActorSystem<Object> system =
        ActorSystem.create(
            CoordinatorActor.create(token, version, policy, workerListener),
            NodeConfiguration.SYSTEM_NAME,
            NodeConfiguration.of(NodeConfiguration.COORDINATOR_ROLE, host, 0));
    Cluster cluster = Cluster.get(system);
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    return new CoordinatorNode(system);
  }

  /** What a worker needs to know to reach this node, in Akka's form for actor references. */
  public String reference() {
    return ActorRefResolver.get(system).toSerializationFormat(system);
  }

  /** Runs a query; its listener hears everything that happens. */
  public void start(QueryRequest request) {
    system.tell(new CoordinatorActor.Command.Start(request));
  }

  /** Ends a query with an error; does nothing when it has ended already. */
  public void end(String query, ErrorInfo error) {
    system.tell(new CoordinatorActor.Command.End(query, error));
  }

  /** Ends a query without an error although rows are left. */
  public void finishEarly(String query) {
    system.tell(new CoordinatorActor.Command.FinishEarly(query));
  }

  /** All rows of a result are with the client. */
  public void delivered(AttemptId attempt) {
    system.tell(new CoordinatorActor.Command.Delivered(attempt));
  }

  /** A result could not be read, and none of its rows were passed on. */
  public void resultUnreadable(AttemptId attempt, WorkerId holder) {
    system.tell(new CoordinatorActor.Command.ResultUnreadable(attempt, holder));
  }

  /** A worker was seen to be gone, by its process or its connections. */
  public void workerGone(WorkerId worker, String reason) {
    system.tell(new CoordinatorActor.Command.WorkerGone(worker, reason));
  }

  @Override
  public void close() {
    shutDown(system, SHUTDOWN_SECONDS);
  }

  /** Ends an actor system and waits for it, within bounds. */
  static void shutDown(ActorSystem<?> system, long seconds) {
    system.terminate();
    try {
      system.getWhenTerminated().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException late) {
      // The process ends soon; a system that hangs must not keep it.
    }
  }
}
