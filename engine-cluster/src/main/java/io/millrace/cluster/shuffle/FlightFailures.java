package io.millrace.cluster.shuffle;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;

/**
 * Flight's statuses as this engine's errors. What a server of this engine wants to say comes as
 * data; a status means that the transport itself failed, or that something else answers there.
 */
final class FlightFailures {
  private FlightFailures() {}

  /** The error of a call to a process. */
  static MillraceException translated(FlightRuntimeException failure, Endpoint endpoint) {
    FlightStatusCode status = failure.status().code();
    ErrorCode code = codeOf(status);
    String message =
        switch (code) {
          case AUTHENTICATION_FAILED -> failure.status().description();
          case COORDINATOR_UNREACHABLE ->
              "Cannot reach the process at "
                  + endpoint
                  + "; check that it runs and that the address is right ("
                  + status
                  + ")";
          case INVALID_ARGUMENT ->
              "What answers there is no Millrace process of this version; check the address: "
                  + endpoint
                  + " ("
                  + status
                  + ")";
          case MEMORY_EXHAUSTED ->
              "A message is too large for a process or its memory; raise its --memory: "
                  + endpoint
                  + ", "
                  + failure.status().description();
          default ->
              "The connection to a process failed: "
                  + endpoint
                  + ", "
                  + status
                  + ": "
                  + failure.status().description();
        };
    return new MillraceException(code, message, failure);
  }

  /**
   * A connection that breaks shows as UNAVAILABLE, or as CANCELLED when the server's process stops
   * in good order; a reader that leaves knows so itself.
   */
  static ErrorCode codeOf(FlightStatusCode status) {
    return switch (status) {
      case UNAUTHENTICATED, UNAUTHORIZED -> ErrorCode.AUTHENTICATION_FAILED;
      case UNAVAILABLE, TIMED_OUT, CANCELLED -> ErrorCode.COORDINATOR_UNREACHABLE;
      case UNIMPLEMENTED, NOT_FOUND, INVALID_ARGUMENT, ALREADY_EXISTS -> ErrorCode.INVALID_ARGUMENT;
      case RESOURCE_EXHAUSTED -> ErrorCode.MEMORY_EXHAUSTED;
      case OK, UNKNOWN, INTERNAL -> ErrorCode.IO_FAILED;
    };
  }

  /** The error of a read that its own reader ended. */
  static MillraceException readerLeft(Exception failure) {
    return new MillraceException(ErrorCode.CANCELLED, "The read was cancelled.", failure);
  }
}
