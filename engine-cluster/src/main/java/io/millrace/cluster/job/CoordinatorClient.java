package io.millrace.cluster.job;

import io.millrace.cluster.protocol.MessageWriter;
import io.millrace.cluster.protocol.ProtocolValues;
import io.millrace.cluster.protocol.QuerySetup;
import io.millrace.cluster.protocol.StageSetup;
import io.millrace.cluster.protocol.StreamTicket;
import io.millrace.cluster.protocol.TaskSetup;
import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.shuffle.DataClient;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** The coordinator's calls, typed. */
final class CoordinatorClient {
  private static final long CALL_TIMEOUT_MILLIS = 60_000;

  private final DataClient client;

  CoordinatorClient(DataClient client) {
    this.client = client;
  }

  DataClient client() {
    return client;
  }

  /** Akka's reference of the coordinator's actor; retried until the coordinator is there. */
  String awaitReference(long timeoutMillis) {
    long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
    while (true) {
      try {
        return text(call(CallNames.JOIN, new byte[0]));
      } catch (MillraceException failure) {
        boolean later = failure.code() == ErrorCode.COORDINATOR_UNREACHABLE;
        if (!later || System.nanoTime() > deadline) {
          throw failure;
        }
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MillraceException(
          ErrorCode.CANCELLED, "The wait for the coordinator was interrupted", interrupted);
    }
  }

  QuerySetup query(String query) {
    return QuerySetup.decode(call(CallNames.QUERY, bytes(query)));
  }

  StageSetup stage(String query, int stage) {
    byte[] request = new MessageWriter().putString(query).putInt(stage).toBytes();
    return StageSetup.decode(call(CallNames.STAGE, request));
  }

  TaskSetup task(AttemptId attempt) {
    MessageWriter request = new MessageWriter();
    ProtocolValues.putAttempt(request, attempt);
    return TaskSetup.decode(call(CallNames.TASK, request.toBytes()));
  }

  int slotCount() {
    return WorkerRoster.decodeSlotCount(call(CallNames.SLOTS, new byte[0]));
  }

  /** Copies a jar into a store unless it is there. */
  Path fetchJar(String hash, JarStore store) {
    if (!store.has(hash)) {
      try (JarStore.Upload upload = store.upload(hash);
          FrameSource pieces = client.stream(new StreamTicket.Jar(hash).encode())) {
        for (Optional<byte[]> piece = pieces.next(); piece.isPresent(); piece = pieces.next()) {
          upload.append(piece.get());
        }
        upload.finish();
      }
    }
    return store.path(hash);
  }

  /** Gives the coordinator a jar unless it has it; answers its hash. */
  String offerJar(Path jar) {
    String hash = JarStore.hash(jar);
    if (call(CallNames.HAS_JAR, bytes(hash))[0] == 0) {
      String upload = UUID.randomUUID().toString();
      try (FrameSource pieces = new JarFrames(jar)) {
        for (Optional<byte[]> piece = pieces.next(); piece.isPresent(); piece = pieces.next()) {
          call(CallNames.UPLOAD_JAR, new JarPiece(upload, hash, false, piece.get()).encode());
        }
      }
      call(CallNames.UPLOAD_JAR, new JarPiece(upload, hash, true, new byte[0]).encode());
    }
    return hash;
  }

  private byte[] call(String name, byte[] request) {
    return client.call(name, request, CALL_TIMEOUT_MILLIS);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
