package io.millrace.cluster.cli;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import io.millrace.core.error.MillraceException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Prints errors as {@code error[CODE]: …} and says which exit code they mean. */
final class ErrorReport {
  /** Exit code of a wrong command line. */
  static final int USAGE_EXIT_CODE = 2;

  private ErrorReport() {}

  /** Prints the failure; the stack trace only when asked for. */
  static int print(Throwable failure, boolean debug, PrintStream err) {
    if (failure instanceof ClosedPipeException) {
      return 0;
    }
    if (failure instanceof UsageException) {
      err.println("error[" + ErrorCode.USAGE_ERROR.label() + "]: " + failure.getMessage());
      return USAGE_EXIT_CODE;
    }
    MillraceException known = MillraceException.of(failure);
    ErrorInfo info = known.info();
    err.println("error[" + info.code().label() + "]: " + info.message());
    String place = place(info);
    if (!place.isEmpty()) {
      err.println("  in " + place);
    }
    if (debug) {
      if (info.detail().isEmpty()) {
        failure.printStackTrace(err);
      } else {
        err.println(info.detail());
      }
    }
    return exitCode(info.code());
  }

  static int exitCode(ErrorCode code) {
    return code == ErrorCode.USAGE_ERROR ? USAGE_EXIT_CODE : code.category().exitCode();
  }

  /** Where the error happened, as far as it is known. */
  private static String place(ErrorInfo info) {
    List<String> parts = new ArrayList<>();
    info.udf().ifPresent(udf -> parts.add("function " + udf));
    info.rows().ifPresent(rows -> parts.add("rows " + rows));
    info.operator().ifPresent(operator -> parts.add("operator " + operator));
    info.stage().ifPresent(stage -> parts.add("stage " + stage));
    info.task().ifPresent(task -> parts.add("task " + task));
    info.worker().ifPresent(worker -> parts.add(worker));
    return String.join(", ", parts);
  }
}
