package io.millrace.cluster.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.TaskFailure;
import io.millrace.cluster.schedule.TaskId;
import io.millrace.cluster.schedule.TaskOutput;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageCodecTest {
  private static final AttemptId ATTEMPT = new AttemptId(new TaskId("q-1", 2, 3), 4);
  private static final WorkerId WORKER = new WorkerId("w-7");

  static List<ClusterMessage> messages() {
    ErrorInfo error =
        ErrorInfo.of(ErrorCode.UDF_FAILED, "no such model: größe")
            .inTask("q-1", 2, 3, "w-7")
            .inUdf("embed", "5..9")
            .withDetail("at …");
    return List.of(
        new CoordinatorMessage.RegisterWorker(
            WORKER,
            "akka://millrace@127.0.0.1:25520/user/worker#1",
            new Endpoint("127.0.0.1", 4711),
            ResourceVector.of(2.5, 0.25, 1L << 33),
            "secret",
            "0.1.0"),
        new CoordinatorMessage.TaskFailed(ATTEMPT, new TaskFailure.Error(error)),
        new CoordinatorMessage.TaskFailed(ATTEMPT, new TaskFailure.InputLost(ATTEMPT, WORKER)),
        new CoordinatorMessage.TaskFailed(ATTEMPT, new TaskFailure.Aborted()),
        new CoordinatorMessage.QueryReleased("q-1", WORKER),
        new CoordinatorMessage.WorkerLeaving(WORKER),
        new WorkerMessage.WorkerAccepted(),
        new WorkerMessage.WorkerRejected(error),
        new WorkerMessage.LaunchTask(ATTEMPT),
        new WorkerMessage.AbortTask(ATTEMPT),
        new WorkerMessage.DropOutput(ATTEMPT),
        new WorkerMessage.ReleaseQuery("q-1"));
  }

  @ParameterizedTest
  @MethodSource("messages")
  void readsBackWhatItWrote(ClusterMessage message) {
    assertEquals(message, MessageCodec.decode(MessageCodec.encode(message)));
  }

  @Test
  void aTaskSucceededKeepsSizesAndMetrics() {
    TaskOutput output = new TaskOutput(ATTEMPT, WORKER, List.of(0L, 17L, Long.MAX_VALUE));
    CoordinatorMessage.TaskSucceeded read =
        (CoordinatorMessage.TaskSucceeded)
            MessageCodec.decode(
                MessageCodec.encode(
                    new CoordinatorMessage.TaskSucceeded(output, new byte[] {1, 2})));
    assertEquals(output, read.output());
    assertArrayEquals(new byte[] {1, 2}, read.metrics());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void refusesEveryCutMessage(ClusterMessage message) {
    byte[] bytes = MessageCodec.encode(message);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> MessageCodec.decode(cut));
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThrows(IllegalArgumentException.class, () -> MessageCodec.decode(longer));
  }

  @Test
  void refusesAMessageLargerThanTheLimit() {
    TaskOutput output = new TaskOutput(ATTEMPT, WORKER, List.of());
    ClusterMessage message =
        new CoordinatorMessage.TaskSucceeded(output, new byte[MessageCodec.MESSAGE_LIMIT_BYTES]);
    assertThrows(IllegalArgumentException.class, () -> MessageCodec.encode(message));
  }

  @Test
  void cutsALongStackTrace() {
    ErrorInfo error = ErrorInfo.of(ErrorCode.INTERNAL_ERROR, "x").withDetail("y".repeat(1 << 20));
    WorkerMessage.WorkerRejected read =
        (WorkerMessage.WorkerRejected)
            MessageCodec.decode(MessageCodec.encode(new WorkerMessage.WorkerRejected(error)));
    assertEquals(ProtocolValues.DETAIL_LIMIT, read.error().detail().length());
  }

  @Test
  void aTokenIsNotPrinted() {
    assertFalse(messages().getFirst().toString().contains("secret"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "localhost:", ":70", "localhost:x", "h:0", "h:65536", "::1:7"})
  void refusesWhatIsNoAddress(String text) {
    assertThrows(IllegalArgumentException.class, () -> Endpoint.parse(text));
  }

  @Test
  void readsAddresses() {
    assertEquals(new Endpoint("localhost", 7070), Endpoint.parse("localhost:7070"));
    assertEquals(new Endpoint("localhost", 7070), Endpoint.parse("millrace://localhost:7070"));
    assertEquals(new Endpoint("::1", 7070), Endpoint.parse("[::1]:7070"));
    assertEquals("[::1]:7070", new Endpoint("::1", 7070).toString());
  }
}
