package io.millrace.cluster.protocol;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.TaskFailure;
import io.millrace.cluster.schedule.TaskId;
import io.millrace.cluster.schedule.TaskOutput;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;

/** The binary form of the values that several messages share. */
public final class ProtocolValues {
  /** Longer texts and details (stack traces) are cut: a message stays far below its limit. */
  static final int DETAIL_LIMIT = 16_384;

  private static final int FAILURE_ERROR = 0;
  private static final int FAILURE_INPUT_LOST = 1;
  private static final int FAILURE_ABORTED = 2;

  private ProtocolValues() {}

  public static void putAttempt(MessageWriter out, AttemptId attempt) {
    out.putString(attempt.task().query())
        .putInt(attempt.task().stage())
        .putInt(attempt.task().task())
        .putInt(attempt.attempt());
  }

  public static AttemptId takeAttempt(MessageReader in) {
    TaskId task = new TaskId(in.takeString(), in.takeInt(), in.takeInt());
    return new AttemptId(task, in.takeInt());
  }

  public static void putEndpoint(MessageWriter out, Endpoint endpoint) {
    out.putString(endpoint.host()).putInt(endpoint.port());
  }

  public static Endpoint takeEndpoint(MessageReader in) {
    return new Endpoint(in.takeString(), in.takeInt());
  }

  public static void putResources(MessageWriter out, ResourceVector resources) {
    out.putLong(resources.milliCpus())
        .putLong(resources.milliGpus())
        .putLong(resources.memoryBytes());
  }

  public static ResourceVector takeResources(MessageReader in) {
    return new ResourceVector(in.takeLong(), in.takeLong(), in.takeLong());
  }

  public static void putOutput(MessageWriter out, TaskOutput output) {
    putAttempt(out, output.attempt());
    out.putString(output.worker().value()).putList(output.partitionBytes(), MessageWriter::putLong);
  }

  public static TaskOutput takeOutput(MessageReader in) {
    return new TaskOutput(
        takeAttempt(in), new WorkerId(in.takeString()), in.takeList(MessageReader::takeLong));
  }

  public static void putError(MessageWriter out, ErrorInfo error) {
    out.putString(error.code().name())
        .putString(cut(error.message()))
        .putString(cut(error.detail()))
        .putOptional(error.queryId(), MessageWriter::putString)
        .putOptional(error.stage(), MessageWriter::putInt)
        .putOptional(error.task(), MessageWriter::putInt)
        .putOptional(error.operator(), MessageWriter::putString)
        .putOptional(error.worker(), MessageWriter::putString)
        .putOptional(error.udf(), MessageWriter::putString)
        .putOptional(error.rows(), MessageWriter::putString);
  }

  private static String cut(String text) {
    return text.length() > DETAIL_LIMIT ? text.substring(0, DETAIL_LIMIT) : text;
  }

  public static ErrorInfo takeError(MessageReader in) {
    return new ErrorInfo(
        ErrorCode.valueOf(in.takeString()),
        in.takeString(),
        in.takeString(),
        in.takeOptional(MessageReader::takeString),
        in.takeOptional(MessageReader::takeInt),
        in.takeOptional(MessageReader::takeInt),
        in.takeOptional(MessageReader::takeString),
        in.takeOptional(MessageReader::takeString),
        in.takeOptional(MessageReader::takeString),
        in.takeOptional(MessageReader::takeString));
  }

  public static void putFailure(MessageWriter out, TaskFailure failure) {
    switch (failure) {
      case TaskFailure.Error(ErrorInfo error) -> putError(out.putByte(FAILURE_ERROR), error);
      case TaskFailure.InputLost(AttemptId lost, WorkerId holder) -> {
        putAttempt(out.putByte(FAILURE_INPUT_LOST), lost);
        out.putString(holder.value());
      }
      case TaskFailure.Aborted() -> out.putByte(FAILURE_ABORTED);
    }
  }

  public static TaskFailure takeFailure(MessageReader in) {
    int tag = in.takeByte();
    return switch (tag) {
      case FAILURE_ERROR -> new TaskFailure.Error(takeError(in));
      case FAILURE_INPUT_LOST ->
          new TaskFailure.InputLost(takeAttempt(in), new WorkerId(in.takeString()));
      case FAILURE_ABORTED -> new TaskFailure.Aborted();
      default -> throw new IllegalArgumentException("unknown kind of failure: " + tag);
    };
  }
}
