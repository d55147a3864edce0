package io.millrace.exec.operator.source;

import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.bridge.BatchQueue;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.pipeline.SourceOperator;

/** Takes batches from one queue of a local exchange. */
public final class ExchangeSource implements SourceOperator {
  private final Schema schema;
  private final BatchQueue queue;
  private boolean closed;

  public ExchangeSource(Schema schema, BatchQueue queue) {
    this.schema = schema;
    this.queue = queue;
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext context) {}

  @Override
  public Step advance() {
    Step step = queue.poll();
    return step instanceof Step.Output output
        ? new Step.Output(output.batch().withSchema(schema))
        : step;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      queue.consumerEnded();
    }
  }
}
