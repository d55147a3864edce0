package io.millrace.exec.build;

import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorFactory;
import io.millrace.exec.pipeline.Pipeline;
import io.millrace.exec.pipeline.SinkOperator;
import io.millrace.exec.pipeline.SourceOperator;
import java.util.ArrayList;
import java.util.List;

/** A pipeline that still grows: a source and the operators so far. */
final class PipelineDraft {
  private final OperatorFactory<? extends SourceOperator> source;
  private final List<OperatorFactory<? extends Operator>> operators = new ArrayList<>();
  private final int driverCount;
  private Schema schema;

  /** Columns whose equal values are all with one driver; null when that is not known. */
  private List<Integer> hashColumns;

  PipelineDraft(OperatorFactory<? extends SourceOperator> source, Schema schema, int driverCount) {
    this.source = source;
    this.schema = schema;
    this.driverCount = driverCount;
  }

  Schema schema() {
    return schema;
  }

  int driverCount() {
    return driverCount;
  }

  List<Integer> hashColumns() {
    return hashColumns;
  }

  PipelineDraft hashedBy(List<Integer> columns) {
    hashColumns = columns;
    return this;
  }

  /** Whether all rows with equal values in these columns come to one driver. */
  boolean keepsTogether(List<Integer> columns) {
    return driverCount == 1 || hashColumns != null && columns.containsAll(hashColumns);
  }

  /** Appends an operator that keeps columns in place or adds some at the end. */
  PipelineDraft then(OperatorFactory<? extends Operator> operator, Schema output) {
    operators.add(operator);
    schema = output;
    return this;
  }

  Pipeline end(OperatorFactory<? extends SinkOperator> sink) {
    return new Pipeline(source, operators, sink, driverCount);
  }
}
