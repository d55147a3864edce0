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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
  void callsAnswerWithAnyNumberOfResults() {
    Map<String, DataServer.CallHandler> calls =
        Map.of(
            "echo",
            (request, answer) -> {
              answer.accept(request);
              answer.accept(new byte[0]);
            });
    try (DataServer server = start("", calls, ticket -> new Counted(0, 1));
        DataClient client = DataClient.open(allocator, server.endpoint(), "")) {
      List<byte[]> answers = client.call("echo", new byte[] {7, 8}, 10_000);
      assertEquals(2, answers.size());
      assertArrayEquals(new byte[] {7, 8}, answers.get(0));
      assertEquals(0, answers.get(1).length);
    }
  }

  @Test
  void errorsKeepTheirCodeAndText() {
    Map<String, DataServer.CallHandler> calls =
        Map.of(
            "fail",
            (request, answer) -> {
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
    Map<String, DataServer.CallHandler> calls =
        Map.of("echo", (request, answer) -> answer.accept(request));
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
      assertEquals(1, friend.call("echo", new byte[0], 10_000).size());
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
