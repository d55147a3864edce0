package io.millrace.cluster.protocol;

import io.millrace.cluster.protocol.CoordinatorMessage.QueryReleased;
import io.millrace.cluster.protocol.CoordinatorMessage.RegisterWorker;
import io.millrace.cluster.protocol.CoordinatorMessage.TaskFailed;
import io.millrace.cluster.protocol.CoordinatorMessage.TaskSucceeded;
import io.millrace.cluster.protocol.CoordinatorMessage.WorkerLeaving;
import io.millrace.cluster.protocol.WorkerMessage.AbortTask;
import io.millrace.cluster.protocol.WorkerMessage.DropOutput;
import io.millrace.cluster.protocol.WorkerMessage.LaunchTask;
import io.millrace.cluster.protocol.WorkerMessage.ReleaseQuery;
import io.millrace.cluster.protocol.WorkerMessage.WorkerAccepted;
import io.millrace.cluster.protocol.WorkerMessage.WorkerRejected;
import io.millrace.cluster.schedule.WorkerId;

/**
 * Messages to bytes and back: a tag, then the record's members. Only the records named here can be
 * read, whatever arrives; no class name ever travels.
 */
public final class MessageCodec {
  /** Messages are kept below this; what may be larger goes over Flight. */
  public static final int MESSAGE_LIMIT_BYTES = 256 * 1024;

  private static final int REGISTER_WORKER = 1;
  private static final int TASK_SUCCEEDED = 2;
  private static final int TASK_FAILED = 3;
  private static final int QUERY_RELEASED = 4;
  private static final int WORKER_LEAVING = 5;
  private static final int WORKER_ACCEPTED = 16;
  private static final int WORKER_REJECTED = 17;
  private static final int LAUNCH_TASK = 18;
  private static final int ABORT_TASK = 19;
  private static final int DROP_OUTPUT = 20;
  private static final int RELEASE_QUERY = 21;

  private MessageCodec() {}

  /**
   * The message as bytes.
   *
   * @throws IllegalArgumentException when it is larger than a message may be
   */
  public static byte[] encode(ClusterMessage message) {
    MessageWriter out = new MessageWriter();
    switch (message) {
      case RegisterWorker register -> {
        out.putByte(REGISTER_WORKER).putString(register.worker().value());
        out.putString(register.replyTo());
        ProtocolValues.putEndpoint(out, register.endpoint());
        ProtocolValues.putResources(out, register.resources());
        out.putString(register.token()).putString(register.version());
      }
      case TaskSucceeded succeeded -> {
        ProtocolValues.putOutput(out.putByte(TASK_SUCCEEDED), succeeded.output());
        out.putBytes(succeeded.metrics());
      }
      case TaskFailed failed -> {
        ProtocolValues.putAttempt(out.putByte(TASK_FAILED), failed.attempt());
        ProtocolValues.putFailure(out, failed.failure());
      }
      case QueryReleased released ->
          out.putByte(QUERY_RELEASED)
              .putString(released.query())
              .putString(released.worker().value());
      case WorkerLeaving leaving -> out.putByte(WORKER_LEAVING).putString(leaving.worker().value());
      case WorkerAccepted() -> out.putByte(WORKER_ACCEPTED);
      case WorkerRejected rejected ->
          ProtocolValues.putError(out.putByte(WORKER_REJECTED), rejected.error());
      case LaunchTask launch ->
          ProtocolValues.putAttempt(out.putByte(LAUNCH_TASK), launch.attempt());
      case AbortTask abort -> ProtocolValues.putAttempt(out.putByte(ABORT_TASK), abort.attempt());
      case DropOutput drop -> ProtocolValues.putAttempt(out.putByte(DROP_OUTPUT), drop.attempt());
      case ReleaseQuery release -> out.putByte(RELEASE_QUERY).putString(release.query());
    }
    byte[] bytes = out.toBytes();
    if (bytes.length > MESSAGE_LIMIT_BYTES) {
      throw new IllegalArgumentException(
          "message is too large for the control channel: "
              + message.getClass().getSimpleName()
              + ", "
              + bytes.length
              + " bytes");
    }
    return bytes;
  }

  /**
   * The message in the bytes.
   *
   * @throws IllegalArgumentException when they are not exactly one known message
   */
  public static ClusterMessage decode(byte[] bytes) {
    MessageReader in = new MessageReader(bytes);
    int tag = in.takeByte();
    ClusterMessage message =
        switch (tag) {
          case REGISTER_WORKER ->
              new RegisterWorker(
                  new WorkerId(in.takeString()),
                  in.takeString(),
                  ProtocolValues.takeEndpoint(in),
                  ProtocolValues.takeResources(in),
                  in.takeString(),
                  in.takeString());
          case TASK_SUCCEEDED -> new TaskSucceeded(ProtocolValues.takeOutput(in), in.takeBytes());
          case TASK_FAILED ->
              new TaskFailed(ProtocolValues.takeAttempt(in), ProtocolValues.takeFailure(in));
          case QUERY_RELEASED -> new QueryReleased(in.takeString(), new WorkerId(in.takeString()));
          case WORKER_LEAVING -> new WorkerLeaving(new WorkerId(in.takeString()));
          case WORKER_ACCEPTED -> new WorkerAccepted();
          case WORKER_REJECTED -> new WorkerRejected(ProtocolValues.takeError(in));
          case LAUNCH_TASK -> new LaunchTask(ProtocolValues.takeAttempt(in));
          case ABORT_TASK -> new AbortTask(ProtocolValues.takeAttempt(in));
          case DROP_OUTPUT -> new DropOutput(ProtocolValues.takeAttempt(in));
          case RELEASE_QUERY -> new ReleaseQuery(in.takeString());
          default -> throw new IllegalArgumentException("unknown message: tag " + tag);
        };
    in.end();
    return message;
  }
}
