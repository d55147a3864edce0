package io.millrace.exec.operator.source;

import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.bridge.BatchQueue;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.pipeline.SourceOperator;
import java.util.List;

/** Takes batches from queues of a local exchange, one queue after the other. */
public final class ExchangeSource implements SourceOperator {
  private final Schema schema;
  private final List<BatchQueue> queues;
  private int current;
  private boolean closed;

  /** Takes its place as one of the consumers of each queue. */
  public ExchangeSource(Schema schema, List<BatchQueue> queues) {
    this.schema = schema;
    this.queues = List.copyOf(queues);
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext context) {}

  @Override
  public Step advance() {
    while (current < queues.size()) {
      Step step = queues.get(current).poll();
      if (step instanceof Step.Output output) {
        return new Step.Output(output.batch().withSchema(schema));
      }
      if (step instanceof Step.Blocked) {
        return step;
      }
      current++;
    }
    return Step.FINISHED;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      queues.forEach(BatchQueue::consumerEnded);
    }
  }
}
