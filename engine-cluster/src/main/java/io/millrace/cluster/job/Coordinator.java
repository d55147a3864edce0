package io.millrace.cluster.job;

import io.millrace.cluster.actor.CoordinatorNode;
import io.millrace.cluster.actor.QueryRequest;
import io.millrace.cluster.actor.WorkerListener;
import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.MessageReader;
import io.millrace.cluster.protocol.ProtocolValues;
import io.millrace.cluster.protocol.QuerySubmission;
import io.millrace.cluster.protocol.StreamTicket;
import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.SchedulePolicy;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.cluster.shuffle.DataClients;
import io.millrace.cluster.shuffle.DataServer;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.cluster.shuffle.PresenceFrames;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PlanCodec;
import io.millrace.core.plan.StageGraph;
import io.millrace.planner.stage.StageCutter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A coordinator: takes workers in, runs queries on them, keeps the jars they need. It plans nothing
 * and touches no rows: results pass through it as they are.
 */
public final class Coordinator implements AutoCloseable {

  /**
   * How a coordinator listens.
   *
   * @param host address to bind to and to be known by
   * @param port TCP port, 0 for any free one
   * @param token the secret that workers and clients must know; empty for none
   * @param tokenFile the file that holds the token, for jobs' processes; empty without a token
   * @param policy limits of the scheduler
   * @param directory a folder of its own for jars, made on first need
   */
  public record Options(
      String host,
      int port,
      String token,
      String tokenFile,
      SchedulePolicy policy,
      Path directory) {

    public Options {
      LoopbackRule.check(host, token);
    }

    /** Without the token, which must not reach a log. */
    @Override
    public String toString() {
      return "coordinator at " + host + ":" + port;
    }
  }

  private final Options options;
  private final DataClients clients;
  private final JarStore jars;
  private final ExecutorService blockingWork =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("coordinator-", 0).factory());
  private final Map<String, ClusterQuery> queries = new ConcurrentHashMap<>();
  private final JarUploads uploads;
  private final WorkerRoster roster = new WorkerRoster();
  private CoordinatorNode node;
  private DataServer server;

  private Coordinator(Options options, DataClients clients, JarStore jars) {
    this.options = options;
    this.clients = clients;
    this.jars = jars;
    this.uploads = new JarUploads(jars, () -> System.nanoTime() / 1_000_000);
  }

  /**
   * Starts a coordinator.
   *
   * @param allocator parent of its network buffers; outlives it
   */
  public static Coordinator start(Options options, BufferAllocator allocator) {
    Coordinator coordinator =
        new Coordinator(
            options,
            new DataClients(allocator, options.token()),
            new JarStore(options.directory().resolve("jars")));
    try {
      coordinator.node =
          CoordinatorNode.start(
              options.host(),
              options.token(),
              EngineVersion.current(),
              options.policy(),
              coordinator.new Workers());
      coordinator.server =
          DataServer.start(
              allocator,
              options.host(),
              options.port(),
              options.token(),
              coordinator.calls(),
              coordinator::openStream);
      return coordinator;
    } catch (RuntimeException failure) {
      coordinator.close();
      throw failure;
    }
  }

  /** Where workers and clients reach it. */
  public Endpoint endpoint() {
    return server.endpoint();
  }

  /** The workers now present. */
  public WorkerRoster roster() {
    return roster;
  }

  /** Tells the scheduler that a worker's process has ended. */
  public void workerGone(WorkerId worker, String reason) {
    node.workerGone(worker, reason);
  }

  /** Where jars are kept. */
  JarStore jars() {
    return jars;
  }

  /**
   * Starts a query and gives its result; closing that cancels the query.
   *
   * @throws MillraceException NO_SLOTS when no worker comes in time
   */
  FrameSource run(QuerySubmission submission) {
    StageGraph graph = StageCutter.cut(PlanCodec.decode(submission.plan()));
    int slotCount = roster.awaitSlots(WORKER_WAIT_MILLIS);
    ClusterQuery query =
        new ClusterQuery(
            submission.query(), submission.setup(), StageAssignment.all(graph, slotCount));
    if (queries.putIfAbsent(query.id(), query) != null) {
      throw new MillraceException(
          ErrorCode.DUPLICATE_NAME, "A query with this id is running: " + query.id());
    }
    node.start(new QueryRequest(query.id(), query.definitions(), query));
    return new ResultFrames(query, node, clients, () -> queries.remove(query.id()));
  }

  private static final long WORKER_WAIT_MILLIS = 30_000;

  private Map<String, DataServer.CallHandler> calls() {
    Map<String, DataServer.CallHandler> calls = new HashMap<>();
    calls.put(CallNames.JOIN, request -> bytes(node.reference()));
    calls.put(CallNames.PING, request -> new byte[0]);
    calls.put(CallNames.QUERY, request -> query(text(request)).setup().encode());
    calls.put(CallNames.STAGE, this::answerStage);
    calls.put(CallNames.TASK, this::answerTask);
    calls.put(CallNames.HAS_JAR, request -> new byte[] {(byte) (jars.has(text(request)) ? 1 : 0)});
    calls.put(CallNames.UPLOAD_JAR, this::upload);
    calls.put(CallNames.SLOTS, request -> roster.encode());
    return calls;
  }

  private byte[] answerStage(byte[] request) {
    MessageReader in = new MessageReader(request);
    return query(in.takeString()).stageSetup(in.takeInt());
  }

  private byte[] answerTask(byte[] request) {
    AttemptId attempt = ProtocolValues.takeAttempt(new MessageReader(request));
    return query(attempt.task().query()).taskSetup(attempt);
  }

  private FrameSource runJob(byte[] request) {
    JobRequest job = JobRequest.decode(request);
    return JobFrames.start(job, jars.path(job.jarHash()), endpoint(), options.tokenFile());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] request) {
    return new String(request, StandardCharsets.UTF_8);
  }

  private ClusterQuery query(String id) {
    ClusterQuery query = queries.get(id);
    if (query == null) {
      throw new MillraceException(ErrorCode.CANCELLED, "The query has ended: " + id);
    }
    return query;
  }

  private byte[] upload(byte[] request) {
    uploads.accept(JarPiece.decode(request));
    return new byte[0];
  }

  private FrameSource openStream(byte[] bytes) {
    return switch (StreamTicket.decode(bytes)) {
      case StreamTicket.Presence() -> new PresenceFrames();
      case StreamTicket.RunQuery(QuerySubmission submission) -> run(submission);
      case StreamTicket.RunJob(byte[] request) -> runJob(request);
      case StreamTicket.Jar(String hash) -> new JarFrames(jars.path(hash));
      case StreamTicket.Pieces pieces ->
          throw new MillraceException(
              ErrorCode.SHUFFLE_LOST, "A coordinator keeps no outputs: " + pieces);
    };
  }

  /** Keeps the roster and watches each worker by an open connection. */
  private final class Workers implements WorkerListener {
    @Override
    public void workerJoined(WorkerId worker, Endpoint endpoint, ResourceVector resources) {
      roster.add(worker, endpoint, resources);
      blockingWork.execute(
          () ->
              PresenceWatch.awaitEnd(
                  clients.to(endpoint), () -> node.workerGone(worker, "its connection ended")));
    }

    @Override
    public void workerLeft(WorkerId worker) {
      roster
          .remove(worker)
          .ifPresent(endpoint -> blockingWork.execute(() -> clients.forget(endpoint)));
    }
  }

  /** Ends everything that runs, lets the workers go, frees all. */
  @Override
  public void close() {
    List.copyOf(queries.values()).forEach(query -> node.end(query.id(), EndErrors.shuttingDown()));
    if (server != null) {
      server.close();
    }
    if (node != null) {
      node.close();
    }
    clients.close();
    blockingWork.shutdownNow();
    try {
      blockingWork.awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    uploads.close();
    jars.close();
  }
}
