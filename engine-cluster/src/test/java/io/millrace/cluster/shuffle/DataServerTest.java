package io.millrace.cluster.shuffle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DataServerTest {
  private BufferAllocator allocator;

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
  }

  @AfterEach
  void close() {
    allocator.close();
  }

  /** Gives a number of frames of one size and counts how many were asked for. */
  private static final class Counted implements FrameSource {
    private final int count;
    private final int size;
    private final AtomicInteger given = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);

    Counted(int count, int size) {
      this.count = count;
      this.size = size;
    }

    @Override
    public Optional<byte[]> next() {
      int number = given.getAndIncrement();
      if (number >= count) {
        return Optional.empty();
      }
      byte[] frame = new byte[size];
      frame[0] = (byte) number;
      return Optional.of(frame);
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  @Test
  void callsAnswer() {
    Map<String, DataServer.CallHandler> calls =
        Map.of("echo", request -> request, "nothing", request -> new byte[0]);
    try (DataServer server = start("", calls, ticket -> new Counted(0, 1));
        DataClient client = DataClient.open(allocator, server.endpoint(), "")) {
      assertArrayEquals(new byte[] {7, 8}, client.call("echo", new byte[] {7, 8}, 10_000));
      assertEquals(0, client.call("nothing", new byte[] {7, 8}, 10_000).length);
    }
  }

  @Test
  void errorsKeepTheirCodeAndText() {
    Map<String, DataServer.CallHandler> calls =
        Map.of(
            "fail",
            request -> {
              throw new MillraceException(ErrorCode.UNKNOWN_TABLE, "No such table: t");
            });
    try (DataServer server =
            start(
                "",
                calls,
                ticket -> {
                  throw new IllegalStateException("broken");
                });
        DataClient client = DataClient.open(allocator, server.endpoint(), "")) {
      MillraceException error =
          assertThrows(MillraceException.class, () -> client.call("fail", new byte[0], 10_000));
      assertEquals(ErrorCode.UNKNOWN_TABLE, error.code());
      assertEquals("No such table: t", error.getMessage());
      try (FrameSource frames = client.stream(new byte[0])) {
        MillraceException internal = assertThrows(MillraceException.class, frames::next);
        assertEquals(ErrorCode.INTERNAL_ERROR, internal.code());
        assertTrue(internal.getMessage().contains("broken"));
      }
    }
  }

  @Test
  void streamsFramesInOrder() {
    try (DataServer server = start("", Map.of(), ticket -> new Counted(100, 100_000));
        DataClient client = DataClient.open(allocator, server.endpoint(), "");
        FrameSource frames = client.stream(new byte[] {1})) {
      for (int number = 0; number < 100; number++) {
        byte[] frame = frames.next().orElseThrow();
        assertEquals(number, frame[0]);
        assertEquals(100_000, frame.length);
      }
      assertTrue(frames.next().isEmpty());
    }
  }

  @Test
  void aSlowReaderHoldsTheServerBackAndAReaderThatLeavesStopsIt() throws Exception {
    Counted source = new Counted(10_000, 1 << 20);
    try (DataServer server = start("", Map.of(), ticket -> source);
        DataClient client = DataClient.open(allocator, server.endpoint(), "")) {
      try (FrameSource frames = client.stream(new byte[] {1})) {
        assertTrue(frames.next().isPresent());
        int before;
        do {
          before = source.given.get();
          Thread.sleep(Duration.ofMillis(300));
        } while (source.given.get() != before);
        assertTrue(before < 32, "frames sent ahead of a reader that waits: " + before);
      }
      assertTrue(source.closed.await(20, TimeUnit.SECONDS), "stream not closed");
    }
  }

  @Test
  void withoutTheTokenNothingIsAnswered() {
    Map<String, DataServer.CallHandler> calls = Map.of("echo", request -> request);
    try (DataServer server = start("secret", calls, ticket -> new Counted(1, 1));
        DataClient stranger = DataClient.open(allocator, server.endpoint(), "guess");
        DataClient unnamed = DataClient.open(allocator, server.endpoint(), "");
        DataClient friend = DataClient.open(allocator, server.endpoint(), "secret")) {
      for (DataClient client : List.of(stranger, unnamed)) {
        MillraceException refused =
            assertThrows(MillraceException.class, () -> client.call("echo", new byte[0], 10_000));
        assertEquals(ErrorCode.AUTHENTICATION_FAILED, refused.code());
        try (FrameSource frames = client.stream(new byte[0])) {
          assertEquals(
              ErrorCode.AUTHENTICATION_FAILED,
              assertThrows(MillraceException.class, frames::next).code());
        }
      }
      assertEquals(0, friend.call("echo", new byte[0], 10_000).length);
    }
  }

  @Test
  void aStatusOfTheTransportIsAnErrorOfItsKind() {
    Map<FlightStatusCode, ErrorCode> kinds =
        Map.of(
            FlightStatusCode.UNAUTHENTICATED, ErrorCode.AUTHENTICATION_FAILED,
            FlightStatusCode.UNAUTHORIZED, ErrorCode.AUTHENTICATION_FAILED,
            FlightStatusCode.UNAVAILABLE, ErrorCode.COORDINATOR_UNREACHABLE,
            FlightStatusCode.TIMED_OUT, ErrorCode.COORDINATOR_UNREACHABLE,
            FlightStatusCode.UNIMPLEMENTED, ErrorCode.INVALID_ARGUMENT,
            FlightStatusCode.NOT_FOUND, ErrorCode.INVALID_ARGUMENT,
            FlightStatusCode.RESOURCE_EXHAUSTED, ErrorCode.MEMORY_EXHAUSTED,
            FlightStatusCode.INTERNAL, ErrorCode.IO_FAILED);
    kinds.forEach((status, code) -> assertEquals(code, FlightFailures.codeOf(status)));
  }

  @Test
  void aCallThatTakesTooLongNamesTheProcess() {
    CountDownLatch never = new CountDownLatch(1);
    Map<String, DataServer.CallHandler> calls =
        Map.of(
            "wait",
            request -> {
              try {
                never.await();
              } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
              }
              return request;
            });
    try (DataServer server = start("", calls, ticket -> new Counted(0, 1));
        DataClient client = DataClient.open(allocator, server.endpoint(), "")) {
      MillraceException late =
          assertThrows(MillraceException.class, () -> client.call("wait", new byte[0], 200));
      assertEquals(ErrorCode.COORDINATOR_UNREACHABLE, late.code());
      never.countDown();
    }
  }

  @Test
  void aReadThatItsOwnReaderEndsIsCancelled() throws Exception {
    try (DataServer server = start("", Map.of(), ticket -> new PresenceFrames());
        DataClient client = DataClient.open(allocator, server.endpoint(), "")) {
      FrameSource frames = client.stream(new byte[] {1});
      assertTrue(frames.next().isPresent());
      CompletableFuture<ErrorCode> waiting =
          CompletableFuture.supplyAsync(frames::next)
              .handle((frame, failure) -> failure == null ? null : codeOf(failure));
      frames.close();
      ErrorCode ended = waiting.get(20, TimeUnit.SECONDS);
      assertTrue(ended == null || ended == ErrorCode.CANCELLED, String.valueOf(ended));
    }
  }

  private static ErrorCode codeOf(Throwable failure) {
    return MillraceException.of(failure).code();
  }

  @Test
  void aServerThatHasNothingToSendHearsThatItsReaderLeft() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    PresenceFrames silent = new PresenceFrames();
    FrameSource source =
        new FrameSource() {
          @Override
          public Optional<byte[]> next() {
            return silent.next();
          }

          @Override
          public void close() {
            closed.countDown();
            silent.close();
          }
        };
    try (DataServer server = start("", Map.of(), ticket -> source)) {
      try (DataClient client = DataClient.open(allocator, server.endpoint(), "")) {
        assertTrue(client.stream(new byte[] {1}).next().isPresent());
      }
      assertTrue(closed.await(20, TimeUnit.SECONDS), "stream not closed");
    }
  }

  @Test
  void aProcessThatIsNotThereIsNamed() {
    try (DataClient client = DataClient.open(allocator, new Endpoint("127.0.0.1", 1), "")) {
      MillraceException error =
          assertThrows(MillraceException.class, () -> client.call("echo", new byte[0], 10_000));
      assertEquals(ErrorCode.COORDINATOR_UNREACHABLE, error.code());
      assertTrue(error.getMessage().contains("127.0.0.1:1"), error.getMessage());
    }
  }

  private DataServer start(
      String token, Map<String, DataServer.CallHandler> calls, DataServer.StreamHandler streams) {
    return DataServer.start(allocator, "127.0.0.1", 0, token, calls, streams);
  }
}
