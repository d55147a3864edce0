package io.millrace.cluster.job;

import io.millrace.cluster.actor.WorkerNode;
import io.millrace.cluster.protocol.CoordinatorMessage;
import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.StreamTicket;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.cluster.shuffle.DataClients;
import io.millrace.cluster.shuffle.DataServer;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.cluster.shuffle.PresenceFrames;
import io.millrace.cluster.shuffle.ShuffleStore;
import io.millrace.cluster.shuffle.StoredPieces;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RootMemory;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A worker: registers with a coordinator, runs its tasks and keeps their outputs for readers. */
final class Worker implements AutoCloseable {
  /** Larger outputs of a task go to a file. */
  private static final long OUTPUT_IN_MEMORY_BYTES = 8L << 20;

  /** Outputs of all tasks together that may stay in memory. */
  private static final long OUTPUTS_IN_MEMORY_BYTES = 64L << 20;

  /**
   * How a worker presents itself.
   *
   * @param id its identity
   * @param coordinator where the coordinator's data server listens
   * @param host address to bind to and to be known by
   * @param resources what it declares
   * @param token the secret of the cluster, empty for none
   * @param directory a folder of its own, made on first need and removed on close
   * @param connectTimeoutMillis how long it looks for the coordinator
   */
  record Options(
      WorkerId id,
      Endpoint coordinator,
      String host,
      ResourceVector resources,
      String token,
      Path directory,
      long connectTimeoutMillis) {

    Options {
      LoopbackRule.check(host, token);
    }

    /** Without the token, which must not reach a log. */
    @Override
    public String toString() {
      return "worker " + id + " at " + host;
    }
  }

  private final Options options;
  private final DataClients clients;
  private final ShuffleStore store;
  private final ExecutorService blockingWork =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("worker-", 0).factory());
  private final CompletableFuture<ErrorInfo> ended = new CompletableFuture<>();
  private TaskRunner tasks;
  private DataServer server;
  private WorkerNode node;

  private Worker(Options options, RootMemory memory) {
    this.options = options;
    this.clients = new DataClients(memory.allocator(), options.token());
    this.store =
        new ShuffleStore(
            options.directory().resolve("shuffle"),
            OUTPUT_IN_MEMORY_BYTES,
            OUTPUTS_IN_MEMORY_BYTES,
            memory.pool());
  }

  /**
   * Starts a worker; returns when the coordinator has taken it.
   *
   * @param memory of the process; outlives it
   * @param executors make what runs its tasks
   * @throws MillraceException COORDINATOR_UNREACHABLE, AUTHENTICATION_FAILED …
   */
  static Worker start(Options options, RootMemory memory, TaskExecutors.Factory executors) {
    Worker worker = new Worker(options, memory);
    try {
      worker.join(memory, executors);
      return worker;
    } catch (RuntimeException failure) {
      worker.close();
      throw failure;
    }
  }

  private void join(RootMemory memory, TaskExecutors.Factory executors) {
    CoordinatorClient coordinator = new CoordinatorClient(clients.to(options.coordinator()));
    tasks =
        new TaskRunner(
            new RunningTask.Host(options.id(), store, clients, memory, blockingWork),
            coordinator,
            new JarStore(options.directory().resolve("jars")));
    String reference = coordinator.awaitReference(options.connectTimeoutMillis());
    server =
        DataServer.start(
            memory.allocator(),
            options.host(),
            0,
            options.token(),
            Map.of(CallNames.PING, request -> new byte[0]),
            this::openStream);
    node =
        WorkerNode.start(
            new WorkerNode.Options(
                options.id(),
                options.host(),
                server.endpoint(),
                options.resources(),
                options.token(),
                EngineVersion.current()),
            reference,
            tasks);
    tasks.open(executors.create(node.udfInvoker()), node::report);
    awaitAccepted();
    tasks.whenRejected().thenAccept(ended::complete);
    node.ended().thenRun(() -> ended.complete(coordinatorGone()));
    blockingWork.execute(
        () ->
            PresenceWatch.awaitEnd(coordinator.client(), () -> ended.complete(coordinatorGone())));
  }

  private void awaitAccepted() {
    try {
      CompletableFuture.anyOf(tasks.whenAccepted(), tasks.whenRejected())
          .get(options.connectTimeoutMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MillraceException(
          ErrorCode.CANCELLED, "The worker was stopped while it registered", interrupted);
    } catch (ExecutionException | TimeoutException late) {
      throw new MillraceException(coordinatorGone(), late);
    }
    if (tasks.whenRejected().isDone()) {
      throw new MillraceException(tasks.whenRejected().join(), null);
    }
  }

  private ErrorInfo coordinatorGone() {
    return ErrorInfo.of(
        ErrorCode.COORDINATOR_UNREACHABLE,
        "The coordinator is gone or cannot be reached; start it and then this worker again: "
            + options.coordinator());
  }

  private FrameSource openStream(byte[] bytes) {
    return switch (StreamTicket.decode(bytes)) {
      case StreamTicket.Presence() -> new PresenceFrames();
      case StreamTicket.Pieces pieces -> StoredPieces.open(pieces, store);
      case StreamTicket.RunQuery query -> throw onlyTasks();
      case StreamTicket.RunJob job -> throw onlyTasks();
      case StreamTicket.Jar jar -> throw onlyTasks();
    };
  }

  private MillraceException onlyTasks() {
    return new MillraceException(
        ErrorCode.INVALID_ARGUMENT,
        "A worker takes no queries; connect to its coordinator: " + options.coordinator());
  }

  /** Where its data server listens. */
  Endpoint endpoint() {
    return server.endpoint();
  }

  /** Completes when the worker can go on no longer, with the reason. */
  CompletableFuture<ErrorInfo> ended() {
    return ended;
  }

  @Override
  public void close() {
    if (node != null) {
      node.report(new CoordinatorMessage.WorkerLeaving(options.id()));
    }
    if (tasks != null) {
      tasks.close();
    }
    if (node != null) {
      node.close();
    }
    if (server != null) {
      server.close();
    }
    clients.close();
    store.close();
    blockingWork.shutdownNow();
    try {
      blockingWork.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
