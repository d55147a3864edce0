package io.millrace.cluster.actor;

import akka.actor.Address;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import akka.cluster.ClusterEvent;
import akka.cluster.typed.Cluster;
import akka.cluster.typed.Down;
import akka.cluster.typed.Subscribe;
import io.millrace.cluster.protocol.CoordinatorMessage;
import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.WorkerMessage;
import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.Decision;
import io.millrace.cluster.schedule.QueryState;
import io.millrace.cluster.schedule.SchedulePolicy;
import io.millrace.cluster.schedule.TaskFailure;
import io.millrace.cluster.schedule.TaskId;
import io.millrace.cluster.schedule.TaskOutput;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.cluster.schedule.WorkerPool;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds the state machines with what workers report and carries out their decisions. It holds no
 * rule of its own: those are in {@link QueryState} and tested there.
 */
final class CoordinatorActor extends AbstractBehavior<Object> {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatorActor.class);
  private static final Duration TICK = Duration.ofMillis(50);

  /** Requests from within the coordinator's process; they never travel. */
  sealed interface Command {
    record Start(QueryRequest request) implements Command {}

    record End(String query, ErrorInfo error) implements Command {}

    record FinishEarly(String query) implements Command {}

    record Delivered(AttemptId attempt) implements Command {}

    record ResultUnreadable(AttemptId attempt, WorkerId holder) implements Command {}

    record WorkerGone(WorkerId worker, String reason) implements Command {}

    record Tick() implements Command {}
  }

  private record RegisteredWorker(
      ActorRef<WorkerMessage> actor, Address address, Endpoint endpoint) {}

  private record RunningQuery(QueryState state, QueryListener listener, AttemptTally tally) {}

  /** A query that has ended and the workers that have not yet forgotten it. */
  private record Releasing(QueryListener listener, Set<WorkerId> waitingFor) {}

  /** Counts attempts for the summary at the end of a query. */
  private static final class AttemptTally {
    private int launched;
    private int lost;

    QueryListener.AttemptCounts counts() {
      return new QueryListener.AttemptCounts(launched, lost);
    }
  }

  private final String token;
  private final String version;
  private final SchedulePolicy policy;
  private final WorkerListener workerListener;
  private final WorkerPool pool = new WorkerPool();
  private final Map<WorkerId, RegisteredWorker> workers = new LinkedHashMap<>();
  private final Map<String, RunningQuery> queries = new LinkedHashMap<>();
  private final Map<String, Releasing> releasing = new LinkedHashMap<>();

  private CoordinatorActor(
      ActorContext<Object> context,
      String token,
      String version,
      SchedulePolicy policy,
      WorkerListener workerListener) {
    super(context);
    this.token = token;
    this.version = version;
    this.policy = policy;
    this.workerListener = workerListener;
  }

  static Behavior<Object> create(
      String token, String version, SchedulePolicy policy, WorkerListener workerListener) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(new Command.Tick(), TICK);
                  Cluster.get(context.getSystem())
                      .subscriptions()
                      .tell(
                          Subscribe.create(
                              context.getSelf().narrow(), ClusterEvent.MemberRemoved.class));
                  return new CoordinatorActor(context, token, version, policy, workerListener);
                }));
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(CoordinatorMessage.class, this::onWorkerReport)
        .onMessage(Command.class, this::onCommand)
        .onMessage(ClusterEvent.MemberRemoved.class, this::onMemberRemoved)
        .build();
  }

  private Behavior<Object> onWorkerReport(CoordinatorMessage message) {
    switch (message) {
      case CoordinatorMessage.RegisterWorker register -> register(register);
      case CoordinatorMessage.TaskSucceeded succeeded -> taskSucceeded(succeeded);
      case CoordinatorMessage.TaskFailed failed -> taskFailed(failed);
      case CoordinatorMessage.QueryReleased released -> {
        pool.releaseQuery(released.query(), released.worker());
        released(released.query(), released.worker());
      }
      case CoordinatorMessage.WorkerLeaving leaving -> {
        LOG.debug("A worker leaves: {}", leaving.worker());
        removeWorker(leaving.worker());
      }
    }
    scheduleAll();
    return this;
  }

  private Behavior<Object> onCommand(Command command) {
    switch (command) {
      case Command.Start(QueryRequest request) ->
          queries.put(
              request.query(),
              new RunningQuery(
                  new QueryState(request.query(), request.stages(), pool, policy),
                  request.listener(),
                  new AttemptTally()));
      case Command.End(String query, ErrorInfo error) ->
          onQuery(query, running -> running.state().end(error));
      case Command.FinishEarly(String query) ->
          onQuery(query, running -> running.state().finishEarly());
      case Command.Delivered(AttemptId attempt) ->
          onQuery(attempt.task().query(), running -> running.state().delivered(attempt));
      case Command.ResultUnreadable(AttemptId attempt, WorkerId holder) ->
          onQuery(attempt.task().query(), running -> running.state().resultLost(attempt, holder));
      case Command.WorkerGone(WorkerId worker, String reason) -> loseWorker(worker, reason);
      case Command.Tick() -> {}
    }
    scheduleAll();
    return this;
  }

  private Behavior<Object> onMemberRemoved(ClusterEvent.MemberRemoved event) {
    Address address = event.member().address();
    List<WorkerId> gone =
        workers.entrySet().stream()
            .filter(worker -> worker.getValue().address().equals(address))
            .map(Map.Entry::getKey)
            .toList();
    gone.forEach(worker -> loseWorker(worker, "it left the cluster"));
    scheduleAll();
    return this;
  }

  private void register(CoordinatorMessage.RegisterWorker register) {
    ActorRef<WorkerMessage> actor =
        ActorRefResolver.get(getContext().getSystem()).resolveActorRef(register.replyTo());
    if (!sameSecret(register.token(), token)) {
      reject(
          actor,
          ErrorInfo.of(
              ErrorCode.AUTHENTICATION_FAILED,
              "The coordinator did not accept the token; give both the same --token-file"));
      return;
    }
    if (!register.version().equals(version)) {
      reject(
          actor,
          ErrorInfo.of(
              ErrorCode.PLAN_VERSION_MISMATCH,
              "Worker and coordinator are of different versions; install the same one: "
                  + register.version()
                  + " and "
                  + version));
      return;
    }
    if (!workers.containsKey(register.worker())) {
      workers.put(
          register.worker(),
          new RegisteredWorker(actor, actor.path().address(), register.endpoint()));
      pool.join(
          new WorkerPool.Worker(
              register.worker(), register.endpoint().host(), register.resources()));
      workerListener.workerJoined(register.worker(), register.endpoint(), register.resources());
    }
    actor.tell(new WorkerMessage.WorkerAccepted());
  }

  private void reject(ActorRef<WorkerMessage> actor, ErrorInfo error) {
    LOG.warn("A worker was turned away: {}", error.message());
    actor.tell(new WorkerMessage.WorkerRejected(error));
  }

  /** Compares without telling by the time it takes how much of the secret was right. */
  private static boolean sameSecret(String given, String wanted) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
  }

  private void taskSucceeded(CoordinatorMessage.TaskSucceeded succeeded) {
    TaskOutput output = succeeded.output();
    AttemptId attempt = output.attempt();
    RunningQuery running = queries.get(attempt.task().query());
    if (running == null) {
      pool.release(attempt);
      tell(output.worker(), new WorkerMessage.ReleaseQuery(attempt.task().query()));
      return;
    }
    List<Decision> decisions = running.state().succeeded(output);
    boolean counts =
        decisions.stream()
            .noneMatch(
                decision ->
                    decision instanceof Decision.DropOutput drop && drop.attempt().equals(attempt));
    if (counts) {
      running.listener().taskSucceeded(output, succeeded.metrics());
    } else {
      running.tally().lost++;
    }
    running.listener().ended(attempt);
    carryOut(running, decisions);
  }

  private void taskFailed(CoordinatorMessage.TaskFailed failed) {
    AttemptId attempt = failed.attempt();
    RunningQuery running = queries.get(attempt.task().query());
    if (running == null) {
      pool.release(attempt);
      return;
    }
    running.tally().lost++;
    logFailure(failed);
    running.listener().ended(attempt);
    carryOut(
        running, running.state().failed(attempt, failed.failure(), System.currentTimeMillis()));
  }

  private static void logFailure(CoordinatorMessage.TaskFailed failed) {
    switch (failed.failure()) {
      case TaskFailure.Error(ErrorInfo error) when error.code().retryable() ->
          LOG.warn("A task failed and may run again: {}: {}", failed.attempt(), error.message());
      case TaskFailure.InputLost(AttemptId lost, WorkerId holder) ->
          LOG.warn(
              "A task lost its input and runs again: {}: {} on {}", failed.attempt(), lost, holder);
      case TaskFailure.Error error -> LOG.debug("A task failed: {}", error);
      case TaskFailure.Aborted() -> LOG.debug("A task was stopped: {}", failed.attempt());
    }
  }

  private void loseWorker(WorkerId worker, String reason) {
    if (workers.containsKey(worker)) {
      LOG.warn("A worker is gone, {}: {}", reason, worker);
      removeWorker(worker);
    }
  }

  private void removeWorker(WorkerId worker) {
    RegisteredWorker gone = workers.remove(worker);
    if (gone == null) {
      return;
    }
    pool.leave(worker);
    workerListener.workerLeft(worker);
    Cluster.get(getContext().getSystem()).manager().tell(new Down(gone.address()));
    for (RunningQuery running : List.copyOf(queries.values())) {
      carryOut(running, running.state().workerLost(worker, System.currentTimeMillis()));
    }
    List.copyOf(releasing.keySet()).forEach(query -> released(query, worker));
  }

  /** A worker has forgotten a query, or is gone; after the last one the listener hears of it. */
  private void released(String query, WorkerId worker) {
    Releasing waiting = releasing.get(query);
    if (waiting != null) {
      waiting.waitingFor().remove(worker);
      if (waiting.waitingFor().isEmpty()) {
        releasing.remove(query);
        waiting.listener().released();
      }
    }
  }

  private void onQuery(String query, Function<RunningQuery, List<Decision>> event) {
    RunningQuery running = queries.get(query);
    if (running != null) {
      carryOut(running, event.apply(running));
    }
  }

  /** Earlier queries first; each takes what slots it can use. */
  private void scheduleAll() {
    for (RunningQuery running : List.copyOf(queries.values())) {
      carryOut(running, running.state().schedule(System.currentTimeMillis()));
    }
  }

  private void carryOut(RunningQuery running, List<Decision> decisions) {
    for (Decision decision : decisions) {
      switch (decision) {
        case Decision.Launch launch -> {
          running.tally().launched++;
          running.listener().launching(launch, endpoints());
          tell(launch.worker(), new WorkerMessage.LaunchTask(launch.attempt()));
        }
        case Decision.Abort(AttemptId attempt, WorkerId worker) ->
            tell(worker, new WorkerMessage.AbortTask(attempt));
        case Decision.DropOutput(AttemptId attempt, WorkerId worker) ->
            tell(worker, new WorkerMessage.DropOutput(attempt));
        case Decision.ResultReady(TaskOutput output) ->
            running.listener().resultReady(output, workers.get(output.worker()).endpoint());
        case Decision.ResultLost(TaskId task) -> running.listener().resultLost(task);
        case Decision.Fail(ErrorInfo error) -> {
          running.listener().failed(running.tally().counts(), error);
          forget(running);
        }
        case Decision.Succeed() -> {
          running.listener().succeeded(running.tally().counts());
          forget(running);
        }
      }
    }
  }

  private void forget(RunningQuery running) {
    String query = running.state().query();
    queries.remove(query);
    if (workers.isEmpty()) {
      running.listener().released();
      return;
    }
    releasing.put(query, new Releasing(running.listener(), new HashSet<>(workers.keySet())));
    for (WorkerId worker : List.copyOf(workers.keySet())) {
      tell(worker, new WorkerMessage.ReleaseQuery(query));
    }
  }

  private Map<WorkerId, Endpoint> endpoints() {
    return workers.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, worker -> worker.getValue().endpoint()));
  }

  private void tell(WorkerId worker, WorkerMessage message) {
    RegisteredWorker registered = workers.get(worker);
    if (registered != null) {
      registered.actor().tell(message);
    }
  }
}
