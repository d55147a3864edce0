package io.millrace.core.error;

import java.util.Optional;

/**
 * An error as data, the only form in which errors cross processes. Optional members are empty when
 * the place is not known.
 *
 * @param code what went wrong
 * @param message one or more sentences for the user, values last
 * @param detail stack trace or other text shown only with {@code --debug}; may be empty
 * @param queryId the query it belongs to
 * @param stage stage number
 * @param task task number within the stage
 * @param operator operator name and id, for example {@code HashJoin-4}
 * @param worker the worker that met it
 * @param udf name of the user-defined function that failed
 * @param rows range of rows within the failing batch, {@code first..last}
 */
public record ErrorInfo(
    ErrorCode code,
    String message,
    String detail,
    Optional<String> queryId,
    Optional<Integer> stage,
    Optional<Integer> task,
    Optional<String> operator,
    Optional<String> worker,
    Optional<String> udf,
    Optional<String> rows) {

  /** An error without a place. */
  public static ErrorInfo of(ErrorCode code, String message) {
    return new ErrorInfo(
        code,
        message,
        "",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The same error seen in the given operator; an operator already known stays. */
  public ErrorInfo inOperator(String name) {
    return operator.isPresent()
        ? this
        : new ErrorInfo(
            code, message, detail, queryId, stage, task, Optional.of(name), worker, udf, rows);
  }

  /** The same error seen in the given task of a worker. */
  public ErrorInfo inTask(String query, int stageNumber, int taskNumber, String workerName) {
    return new ErrorInfo(
        code,
        message,
        detail,
        Optional.of(query),
        Optional.of(stageNumber),
        Optional.of(taskNumber),
        operator,
        Optional.of(workerName),
        udf,
        rows);
  }

  /** The same error of the given user-defined function and rows of its batch. */
  public ErrorInfo inUdf(String name, String rowRange) {
    return new ErrorInfo(
        code,
        message,
        detail,
        queryId,
        stage,
        task,
        operator,
        worker,
        Optional.of(name),
        Optional.of(rowRange));
  }

  /** The same error with text for {@code --debug}. */
  public ErrorInfo withDetail(String text) {
    return new ErrorInfo(code, message, text, queryId, stage, task, operator, worker, udf, rows);
  }
}
