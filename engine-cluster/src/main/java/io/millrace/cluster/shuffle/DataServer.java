package io.millrace.cluster.shuffle;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.MessageWriter;
import io.millrace.cluster.protocol.ProtocolValues;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.ActionType;
import org.apache.arrow.flight.BackpressureStrategy;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallInfo;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.RequestContext;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The Flight server of a process. Calls (actions) take and answer with a few bytes; streams
 * (tickets) give frames under back pressure and hear of readers that leave. Errors travel as data
 * in the same channel, so that no stack trace or class name is needed to understand them.
 */
public final class DataServer implements AutoCloseable {
  /** Header that carries the token. */
  static final String TOKEN_HEADER = "millrace-token";

  /** First byte of every answer. */
  static final byte ANSWER_DATA = 0;

  static final byte ANSWER_ERROR = 1;

  private static final long BACKPRESSURE_WAIT_MILLIS = 1_000;
  private static final long STOP_WAIT_SECONDS = 2;

  /**
   * Logs a stack trace at each reader that leaves early, which is normal here. A strong reference,
   * for the level is forgotten with the logger.
   */
  private static final Logger STREAM_RESETS = Logger.getLogger("io.grpc.netty.NettyServerHandler");

  /** Answers one kind of call; may block. */
  public interface CallHandler {
    byte[] handle(byte[] request);
  }

  /** Opens the stream that a ticket names; may block. */
  public interface StreamHandler {
    FrameSource open(byte[] ticket);
  }

  private final FlightServer server;
  private final Producer producer;
  private final ExecutorService executor;
  private final String host;

  private DataServer(
      FlightServer server, Producer producer, ExecutorService executor, String host) {
    this.server = server;
    this.producer = producer;
    this.executor = executor;
    this.host = host;
  }

  /**
   * Starts a server.
   *
   * @param allocator parent of what the server allocates; outlives it
   * @param host address to bind to and to be known by
   * @param port TCP port, 0 for any free one
   * @param token the secret every caller must send, empty for none
   */
  public static DataServer start(
      BufferAllocator allocator,
      String host,
      int port,
      String token,
      Map<String, CallHandler> calls,
      StreamHandler streams) {
    STREAM_RESETS.setLevel(Level.OFF);
    ExecutorService executor =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("data-server-", 0).factory());
    Producer producer = new Producer(allocator, Map.copyOf(calls), streams, executor);
    FlightServer.Builder builder =
        FlightServer.builder(allocator, Location.forGrpcInsecure(host, port), producer)
            .executor(executor);
    if (!token.isEmpty()) {
      builder.middleware(FlightServerMiddleware.Key.of("token"), new TokenCheck(token));
    }
    try {
      return new DataServer(builder.build().start(), producer, executor, host);
    } catch (IOException failure) {
      executor.shutdownNow();
      throw new MillraceException(
          ErrorCode.IO_FAILED,
          "Cannot listen on the port; choose another with --port: " + host + ":" + port,
          failure);
    }
  }

  /** Where the server listens. */
  public Endpoint endpoint() {
    return new Endpoint(host, server.getPort());
  }

  @Override
  public void close() {
    server.shutdown();
    producer.endStreams();
    try {
      server.awaitTermination(STOP_WAIT_SECONDS, TimeUnit.SECONDS);
      executor.shutdownNow();
      server.close();
    } catch (InterruptedException interrupted) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** The error as an answer. */
  static byte[] errorAnswer(Throwable failure) {
    MessageWriter out = new MessageWriter();
    out.putByte(ANSWER_ERROR);
    ProtocolValues.putError(out, MillraceException.of(failure).describe());
    return out.toBytes();
  }

  static byte[] dataAnswer(byte[] data) {
    byte[] answer = new byte[data.length + 1];
    answer[0] = ANSWER_DATA;
    System.arraycopy(data, 0, answer, 1, data.length);
    return answer;
  }

  private static final class Producer implements FlightProducer {
    private final BufferAllocator allocator;
    private final Map<String, CallHandler> calls;
    private final StreamHandler streams;
    private final Executor executor;
    private final Set<FrameSource> open = ConcurrentHashMap.newKeySet();
    private volatile boolean ending;

    Producer(
        BufferAllocator allocator,
        Map<String, CallHandler> calls,
        StreamHandler streams,
        Executor executor) {
      this.allocator = allocator;
      this.calls = calls;
      this.streams = streams;
      this.executor = executor;
    }

    /** Ends all streams in good order; new ones end at once. */
    void endStreams() {
      ending = true;
      open.forEach(FrameSource::close);
    }

    /**
     * Streams on a thread of its own: while this method runs, the library tells nobody that the
     * reader has room again or has gone away.
     */
    @Override
    public void getStream(CallContext context, Ticket ticket, ServerStreamListener listener) {
      ReaderPressure pressure = new ReaderPressure();
      pressure.register(listener);
      executor.execute(() -> streamTo(listener, pressure, ticket));
    }

    private void streamTo(ServerStreamListener listener, ReaderPressure pressure, Ticket ticket) {
      try (FrameSource frames = streams.open(ticket.getBytes())) {
        pressure.onCancel(frames::close);
        open.add(frames);
        if (ending) {
          frames.close();
        }
        try {
          if (!sendAll(frames, pressure, listener)) {
            return;
          }
        } finally {
          open.remove(frames);
        }
      } catch (RuntimeException | Error failure) {
        byte[] error = errorAnswer(failure);
        if (waitUntilReady(pressure, listener)) {
          sendWhole(listener, error);
        }
      }
      listener.completed();
    }

    /** False when the reader has gone away. */
    private boolean sendAll(
        FrameSource frames, BackpressureStrategy pressure, ServerStreamListener listener) {
      for (Optional<byte[]> frame = frames.next(); frame.isPresent(); frame = frames.next()) {
        if (!waitUntilReady(pressure, listener)) {
          return false;
        }
        send(listener, ANSWER_DATA, frame.get());
      }
      return true;
    }

    /** Says when the reader has room, and runs something when it goes away. */
    private static final class ReaderPressure
        extends BackpressureStrategy.CallbackBackpressureStrategy {
      private Runnable action;
      private boolean cancelled;

      synchronized void onCancel(Runnable newAction) {
        action = newAction;
        if (cancelled) {
          newAction.run();
        }
      }

      @Override
      protected synchronized void cancelCallback() {
        cancelled = true;
        if (action != null) {
          action.run();
        }
      }
    }

    /** False when the reader has gone away. */
    private static boolean waitUntilReady(
        BackpressureStrategy pressure, ServerStreamListener listener) {
      while (!listener.isCancelled()) {
        switch (pressure.waitForListener(BACKPRESSURE_WAIT_MILLIS)) {
          case READY -> {
            return true;
          }
          case CANCELLED -> {
            return false;
          }
          case TIMEOUT, OTHER -> {
            // Look again whether the reader is still there.
          }
        }
        if (Thread.currentThread().isInterrupted()) {
          return false;
        }
      }
      return false;
    }

    private void send(ServerStreamListener listener, byte kind, byte[] frame) {
      ArrowBuf buffer = allocator.buffer(frame.length + 1L);
      buffer.writeByte(kind);
      buffer.writeBytes(frame);
      listener.putMetadata(buffer);
    }

    private void sendWhole(ServerStreamListener listener, byte[] answer) {
      ArrowBuf buffer = allocator.buffer(answer.length);
      buffer.writeBytes(answer);
      listener.putMetadata(buffer);
    }

    @Override
    public void doAction(CallContext context, Action action, StreamListener<Result> listener) {
      CallHandler handler = calls.get(action.getType());
      try {
        if (handler == null) {
          throw new MillraceException(
              ErrorCode.INTERNAL_ERROR, "The server knows no such call: " + action.getType());
        }
        byte[] answer = dataAnswer(handler.handle(action.getBody()));
        if (!context.isCancelled()) {
          listener.onNext(new Result(answer));
        }
      } catch (RuntimeException | Error failure) {
        if (!context.isCancelled()) {
          listener.onNext(new Result(errorAnswer(failure)));
        }
      }
      listener.onCompleted();
    }

    @Override
    public void listActions(CallContext context, StreamListener<ActionType> listener) {
      calls.keySet().forEach(name -> listener.onNext(new ActionType(name, "")));
      listener.onCompleted();
    }

    @Override
    public void listFlights(
        CallContext context, Criteria criteria, StreamListener<FlightInfo> listener) {
      listener.onCompleted();
    }

    @Override
    public FlightInfo getFlightInfo(CallContext context, FlightDescriptor descriptor) {
      throw CallStatus.UNIMPLEMENTED.withDescription("use a ticket").toRuntimeException();
    }

    @Override
    public Runnable acceptPut(
        CallContext context, FlightStream stream, StreamListener<PutResult> acknowledgements) {
      throw CallStatus.UNIMPLEMENTED.withDescription("use a call").toRuntimeException();
    }
  }

  /** Turns away every call without the right token. */
  private static final class TokenCheck
      implements FlightServerMiddleware.Factory<TokenCheck.Passed> {
    private final byte[] token;

    TokenCheck(String token) {
      this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Passed onCallStarted(CallInfo info, CallHeaders headers, RequestContext context) {
      String given = headers.get(TOKEN_HEADER);
      if (given == null || !MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token)) {
        throw CallStatus.UNAUTHENTICATED
            .withDescription("The token is missing or wrong; give the cluster's --token-file")
            .toRuntimeException();
      }
      return new Passed();
    }

    private static final class Passed implements FlightServerMiddleware {
      @Override
      public void onBeforeSendingHeaders(CallHeaders outgoing) {}

      @Override
      public void onCallCompleted(CallStatus status) {}

      @Override
      public void onCallErrored(Throwable failure) {}
    }
  }
}
