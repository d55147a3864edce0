package io.millrace.udf.instance;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import io.millrace.core.error.MillraceException;
import io.millrace.core.udf.StatefulFunction;
import io.millrace.core.udf.UdfContext;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfOptions;
import io.millrace.core.udf.UdfReference;
import org.apache.arrow.memory.BufferAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One live instance of a user-defined function. One thread at a time uses it; {@link #open} comes
 * first, {@link #close} always runs the function's own close if open was called.
 */
public final class UdfInstance implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UdfInstance.class);

  private final UdfReference reference;
  private final UdfImplementation implementation;
  private final UdfContext context;
  private final BufferAllocator allocator;
  private StatefulFunction stateful;
  private boolean closed;

  public UdfInstance(
      UdfReference reference,
      UdfImplementation implementation,
      UdfContext context,
      BufferAllocator allocator) {
    this.reference = reference;
    this.implementation = implementation;
    this.context = context;
    this.allocator = allocator;
  }

  /**
   * Makes and opens the function's state; nothing for one without state.
   *
   * @throws MillraceException UDF_FAILED with the function's own message
   */
  public void open() {
    if (implementation instanceof UdfImplementation.Stateful(StatefulFunction.Factory factory)) {
      try {
        stateful = factory.create();
        stateful.open(context);
      } catch (Exception | LinkageError problem) {
        throw failure(problem, "while it opened", "");
      }
    }
  }

  /**
   * Computes one result per row.
   *
   * @param arguments without selection; stays the caller's
   * @return owned by the caller
   * @throws MillraceException UDF_FAILED naming the function and the rows
   */
  public ColumnVector call(Batch arguments) {
    try (UdfCallOutput output = new UdfCallOutput(reference, arguments.rowCount(), allocator)) {
      switch (implementation) {
        case UdfImplementation.Scalar scalar ->
            new ScalarCall(reference, scalar.function()).apply(arguments, output);
        case UdfImplementation.Stateless stateless -> {
          try (UdfCallInput input = new UdfCallInput(arguments, allocator)) {
            stateless.function().apply(input, output);
          }
        }
        case UdfImplementation.Stateful ignored -> {
          try (UdfCallInput input = new UdfCallInput(arguments, allocator)) {
            stateful.apply(input, output);
          }
        }
      }
      return output.finish();
    } catch (ScalarCall.RowFailure problem) {
      throw failure(problem.getCause(), "for row " + problem.row(), String.valueOf(problem.row()));
    } catch (Exception | LinkageError problem) {
      String rows = "0.." + Math.max(0, arguments.rowCount() - 1);
      throw failure(problem, "for rows " + rows + " of its batch", rows);
    }
  }

  /** A column of nulls in place of a failed call's results. */
  public static ColumnVector nulls(UdfReference reference, int rows, BufferAllocator allocator) {
    return FlatVector.ofNulls(reference.resultType(), rows, allocator);
  }

  /** Whether failures become nulls. */
  static boolean nullsOnError(UdfReference reference) {
    return reference.options().onError() == UdfOptions.OnError.NULL;
  }

  private MillraceException failure(Throwable problem, String when, String rows) {
    if (problem instanceof MillraceException known
        && known.code() != ErrorCode.UDF_FAILED
        && known.code().category() == io.millrace.core.error.ErrorCategory.RESOURCE) {
      return known;
    }
    if (problem instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    String own = problem.getMessage() == null ? problem.getClass().getName() : problem.getMessage();
    ErrorInfo info =
        ErrorInfo.of(
                ErrorCode.UDF_FAILED,
                "The function failed " + when + ": " + reference.name() + ": " + own)
            .inUdf(reference.name(), rows);
    return new MillraceException(info, problem);
  }

  /**
   * Closes the function's state; its own failure is logged, not thrown: results are out already.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (stateful != null) {
      try {
        stateful.close();
      } catch (Throwable problem) {
        LOG.warn("A function failed while it closed: {}", reference.name(), problem);
      }
    }
  }
}
