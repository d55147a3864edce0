package io.millrace.udf.instance;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import java.util.concurrent.CompletableFuture;

/** A call that waits for an instance or runs on one; owns its arguments until it ends. */
public final class UdfCall {
  private final Batch arguments;
  private final CompletableFuture<ColumnVector> result = new CompletableFuture<>();

  public UdfCall(Batch arguments) {
    this.arguments = arguments;
  }

  Batch arguments() {
    return arguments;
  }

  public CompletableFuture<ColumnVector> result() {
    return result;
  }

  /** Hands the result over; closes it when the caller has given up. */
  void succeed(ColumnVector value) {
    arguments.close();
    if (!result.complete(value)) {
      value.close();
    }
  }

  /** Ends the call with an error. */
  void fail(Throwable problem) {
    arguments.close();
    result.completeExceptionally(problem);
  }
}
