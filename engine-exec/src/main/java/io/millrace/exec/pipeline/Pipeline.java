package io.millrace.exec.pipeline;

import java.util.List;

/**
 * A linear chain of stages, run by one or more drivers side by side.
 *
 * @param driverCount drivers, at least one
 */
public record Pipeline(
    OperatorFactory<? extends SourceOperator> source,
    List<OperatorFactory<? extends Operator>> operators,
    OperatorFactory<? extends SinkOperator> sink,
    int driverCount) {
  public Pipeline {
    operators = List.copyOf(operators);
  }
}
