package io.millrace.cluster.shuffle;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.MessageReader;
import io.millrace.cluster.protocol.ProtocolValues;
import io.millrace.core.error.MillraceException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.CallOptions;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
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
   * Calls and waits for the answer.
   *
   * @throws MillraceException the error that the server answered with, COORDINATOR_UNREACHABLE when
   *     it did not answer in time
   */
  public byte[] call(String name, byte[] request, long timeoutMillis) {
    CallOption[] bounded = Arrays.copyOf(options, options.length + 1);
    bounded[options.length] = CallOptions.timeout(timeoutMillis, TimeUnit.MILLISECONDS);
    try {
      Iterator<Result> results = client.doAction(new Action(name, request), bounded);
      byte[] answer = results.next().getBody();
      while (results.hasNext()) {
        results.next();
      }
      if (answer[0] == DataServer.ANSWER_ERROR) {
        throw error(answer);
      }
      return Arrays.copyOfRange(answer, 1, answer.length);
    } catch (FlightRuntimeException failure) {
      throw FlightFailures.translated(failure, endpoint);
    }
  }

  /** Opens a stream of frames. Errors on the way come from {@link FrameSource#next}. */
  public FrameSource stream(byte[] ticket) {
    try {
      Frames frames = new Frames(client.getStream(new Ticket(ticket), options));
      open.add(frames);
      return frames;
    } catch (FlightRuntimeException failure) {
      throw FlightFailures.translated(failure, endpoint);
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
        throw ended || Thread.currentThread().isInterrupted()
            ? FlightFailures.readerLeft(failure)
            : FlightFailures.translated(failure, endpoint);
      } catch (RuntimeException failure) {
        if (failure.getCause() instanceof InterruptedException) {
          Thread.currentThread().interrupt();
          throw FlightFailures.readerLeft(failure);
        }
        throw failure;
      } finally {
        reading.unlock();
      }
    }

    @Override
    public void close() {
      if (!ended) {
        ended = true;
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
