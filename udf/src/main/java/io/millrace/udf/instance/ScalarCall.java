package io.millrace.udf.instance;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.udf.ScalarFunctions;
import io.millrace.core.udf.UdfReference;

/** Calls a row function once a row. */
final class ScalarCall {
  private final UdfReference reference;
  private final ScalarFunctions.Any function;

  ScalarCall(UdfReference reference, ScalarFunctions.Any function) {
    this.reference = reference;
    this.function = function;
  }

  /** A row's own failure; its cause is what the function threw. */
  static final class RowFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int row;

    RowFailure(int row, Throwable cause) {
      super(cause);
      this.row = row;
    }

    int row() {
      return row;
    }
  }

  void apply(Batch arguments, UdfCallOutput output) {
    boolean nullsOnError = UdfInstance.nullsOnError(reference);
    int rows = arguments.rowCount();
    for (int row = 0; row < rows; row++) {
      if ((row & 0xFF) == 0 && Thread.currentThread().isInterrupted()) {
        throw new RowFailure(row, new InterruptedException("interrupted"));
      }
      Object result;
      try {
        result = value(arguments, row);
      } catch (Exception | LinkageError problem) {
        if (!nullsOnError) {
          throw new RowFailure(row, problem);
        }
        result = null;
      }
      try {
        output.append(result);
      } catch (RuntimeException problem) {
        throw new RowFailure(row, problem);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private Object value(Batch arguments, int row) throws Exception {
    return switch (function) {
      case ScalarFunctions.Of1<?, ?> one ->
          ((ScalarFunctions.Of1<Object, Object>) one).apply(argument(arguments, 0, row));
      case ScalarFunctions.Of2<?, ?, ?> two ->
          ((ScalarFunctions.Of2<Object, Object, Object>) two)
              .apply(argument(arguments, 0, row), argument(arguments, 1, row));
      case ScalarFunctions.Of3<?, ?, ?, ?> three ->
          ((ScalarFunctions.Of3<Object, Object, Object, Object>) three)
              .apply(
                  argument(arguments, 0, row),
                  argument(arguments, 1, row),
                  argument(arguments, 2, row));
    };
  }

  private static Object argument(Batch arguments, int column, int row) {
    ColumnVector vector = arguments.column(column);
    return vector.valueAt(row);
  }
}
