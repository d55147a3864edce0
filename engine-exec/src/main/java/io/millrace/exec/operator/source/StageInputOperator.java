package io.millrace.exec.operator.source;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.pipeline.SourceOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Gives the batches of several sources as they come, in no order. */
public final class StageInputOperator implements SourceOperator {
  private final Schema schema;
  private final List<BatchSource> sources;
  private final List<BatchSource> live = new ArrayList<>();
  private OperatorContext context;
  private long countedBytes;
  private int turn;

  /** Takes ownership of the sources. */
  public StageInputOperator(Schema schema, List<BatchSource> sources) {
    this.schema = schema;
    this.sources = sources;
    this.live.addAll(sources);
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
  }

  @Override
  public Step advance() {
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    int tries = live.size();
    while (tries-- > 0) {
      turn = turn >= live.size() ? 0 : turn;
      BatchSource source = live.get(turn);
      switch (source.poll()) {
        case Step.Output output -> {
          turn++;
          countBytes();
          Batch batch = output.batch();
          return new Step.Output(batch.withSchema(schema));
        }
        case Step.Blocked blocked -> {
          waiting.add(blocked.ready());
          turn++;
        }
        case Step.Finished finished -> live.remove(turn);
        case Step.NeedInput needInput ->
            throw new MillraceException(ErrorCode.INTERNAL_ERROR, "A source asked for input.");
      }
    }
    countBytes();
    if (live.isEmpty()) {
      return Step.FINISHED;
    }
    CompletableFuture<Void> any =
        waiting.size() == 1
            ? waiting.get(0)
            : CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new))
                .thenApply(nothing -> null);
    return new Step.Blocked(any, Step.BlockReason.UPSTREAM);
  }

  private void countBytes() {
    long bytes = sources.stream().mapToLong(BatchSource::readBytes).sum();
    context.metrics().addShuffleBytes(bytes - countedBytes);
    countedBytes = bytes;
  }

  @Override
  public void close() {
    live.clear();
    sources.forEach(BatchSource::close);
  }
}
