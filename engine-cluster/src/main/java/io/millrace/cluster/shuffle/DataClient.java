package io.millrace.cluster.shuffle;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.MessageReader;
import io.millrace.cluster.protocol.ProtocolValues;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.CallOptions;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A connection to one {@link DataServer}; calls and streams share it and may run concurrently. */
public final class DataClient implements AutoCloseable {
  private final Endpoint endpoint;
  private final FlightClient client;
  private final CallOption[] options;
  private final Set<Frames> open = ConcurrentHashMap.newKeySet();

  private DataClient(Endpoint endpoint, FlightClient client, CallOption[] options) {
    this.endpoint = endpoint;
    this.client = client;
    this.options = options;
  }

  /**
   * A client that connects on its first call.
   *
   * @param token the secret of the cluster, empty for none
   */
  public static DataClient open(BufferAllocator allocator, Endpoint endpoint, String token) {
    FlightClient client =
        FlightClient.builder(allocator, Location.forGrpcInsecure(endpoint.host(), endpoint.port()))
            .build();
    if (token.isEmpty()) {
      return new DataClient(endpoint, client, new CallOption[0]);
    }
    FlightCallHeaders headers = new FlightCallHeaders();
    headers.insert(DataServer.TOKEN_HEADER, token);
    return new DataClient(endpoint, client, new CallOption[] {new HeaderCallOption(headers)});
  }

  /**
   * Calls and waits for all answers.
   *
   * @throws MillraceException the error that the server answered with, COORDINATOR_UNREACHABLE when
   *     it did not answer in time
   */
  public List<byte[]> call(String name, byte[] request, long timeoutMillis) {
    List<byte[]> answers = new ArrayList<>();
    CallOption[] bounded = Arrays.copyOf(options, options.length + 1);
    bounded[options.length] = CallOptions.timeout(timeoutMillis, TimeUnit.MILLISECONDS);
    call(name, request, answers::add, bounded);
    return answers;
  }

  /** Calls and hands on each answer as it comes; blocks until the last, for any time. */
  public void callStreaming(String name, byte[] request, Consumer<byte[]> answers) {
    call(name, request, answers, options);
  }

  private void call(
      String name, byte[] request, Consumer<byte[]> answers, CallOption[] callOptions) {
    try {
      Iterator<Result> results = client.doAction(new Action(name, request), callOptions);
      while (results.hasNext()) {
        byte[] answer = results.next().getBody();
        if (answer[0] == DataServer.ANSWER_ERROR) {
          throw error(answer);
        }
        answers.accept(Arrays.copyOfRange(answer, 1, answer.length));
      }
    } catch (FlightRuntimeException failure) {
      throw translated(failure);
    }
  }

  /** Opens a stream of frames. Errors on the way come from {@link FrameSource#next}. */
  public FrameSource stream(byte[] ticket) {
    try {
      Frames frames = new Frames(client.getStream(new Ticket(ticket), options));
      open.add(frames);
      return frames;
    } catch (FlightRuntimeException failure) {
      throw translated(failure);
    }
  }

  /** Frames of a Flight stream; closing from another thread ends a read that waits. */
  private final class Frames implements FrameSource {
    private final FlightStream stream;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile boolean ended;
    private boolean closed;

    Frames(FlightStream stream) {
      this.stream = stream;
    }

    @Override
    public Optional<byte[]> next() {
      reading.lock();
      try {
        if (ended || !stream.next()) {
          ended = true;
          return Optional.empty();
        }
        ArrowBuf answer = stream.getLatestMetadata();
        int length = Math.toIntExact(answer.readableBytes());
        byte[] frame = new byte[length - 1];
        byte kind = answer.getByte(0);
        answer.getBytes(1, frame);
        if (kind == DataServer.ANSWER_ERROR) {
          ended = true;
          throw error(frame, 0);
        }
        return Optional.of(frame);
      } catch (FlightRuntimeException failure) {
        throw translated(failure);
      } finally {
        reading.unlock();
      }
    }

    @Override
    public void close() {
      if (!ended) {
        stream.cancel("the reader needs no more", null);
      }
      reading.lock();
      try {
        ended = true;
        if (!closed) {
          closed = true;
          open.remove(this);
          stream.close();
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      } catch (Exception connectionGone) {
        // There is nothing left to release.
      } finally {
        reading.unlock();
      }
    }
  }

  private MillraceException translated(FlightRuntimeException failure) {
    FlightStatusCode code = failure.status().code();
    if (code == FlightStatusCode.UNAUTHENTICATED) {
      return new MillraceException(
          ErrorCode.AUTHENTICATION_FAILED, failure.status().description(), failure);
    }
    return new MillraceException(
        ErrorCode.COORDINATOR_UNREACHABLE,
        "Cannot reach the process at "
            + endpoint
            + "; check that it runs and that the address is right ("
            + code
            + ")",
        failure);
  }

  private static MillraceException error(byte[] answer) {
    return error(answer, 1);
  }

  private static MillraceException error(byte[] answer, int offset) {
    byte[] body = Arrays.copyOfRange(answer, offset, answer.length);
    return new MillraceException(ProtocolValues.takeError(new MessageReader(body)), null);
  }

  /** Ends open streams and the connection. */
  @Override
  public void close() {
    List.copyOf(open).forEach(Frames::close);
    try {
      client.close();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
