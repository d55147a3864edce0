package io.millrace.core.error;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The one exception that engine code throws on purpose; carries the error as data. */
public final class MillraceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ErrorInfo info;

  public MillraceException(ErrorCode code, String message) {
    this(ErrorInfo.of(code, message), null);
  }

  public MillraceException(ErrorCode code, String message, Throwable cause) {
    this(ErrorInfo.of(code, message), cause);
  }

  public MillraceException(ErrorInfo info, Throwable cause) {
    super(info.message(), cause);
    this.info = info;
  }

  public ErrorInfo info() {
    return info;
  }

  public ErrorCode code() {
    return info.code();
  }

  /** This error with the operator it was met in, unless one is known already. */
  public MillraceException inOperator(String name) {
    if (info.operator().isPresent()) {
      return this;
    }
    MillraceException located = new MillraceException(info.inOperator(name), getCause());
    located.setStackTrace(getStackTrace());
    return located;
  }

  /**
   * The given failure as a MillraceException: itself when it is one (also when wrapped), else an
   * INTERNAL_ERROR that keeps it as cause. An OutOfMemoryError becomes MEMORY_EXHAUSTED.
   */
  public static MillraceException of(Throwable failure) {
    Throwable current = failure;
    while (current != null) {
      if (current instanceof MillraceException known) {
        return known;
      }
      if (current instanceof OutOfMemoryError
          || current instanceof org.apache.arrow.memory.OutOfMemoryException) {
        return new MillraceException(
            ErrorCode.MEMORY_EXHAUSTED,
            "Memory ran out; raise --memory or lower batch.bytes: " + current.getMessage(),
            failure);
      }
      current = current.getCause();
    }
    return new MillraceException(
        ErrorCode.INTERNAL_ERROR,
        "Internal error (a bug): "
            + failure.getClass().getSimpleName()
            + ": "
            + failure.getMessage(),
        failure);
  }

  /** The error as data with this exception's stack trace as detail. */
  public ErrorInfo describe() {
    if (!info.detail().isEmpty()) {
      return info;
    }
    StringWriter text = new StringWriter();
    printStackTrace(new PrintWriter(text));
    return info.withDetail(text.toString());
  }
}
