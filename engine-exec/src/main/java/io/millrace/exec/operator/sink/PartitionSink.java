package io.millrace.exec.operator.sink;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.Step;
import io.millrace.exec.operator.row.RowBytes;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.pipeline.SinkOperator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Places rows into the partitions of a target. Small pieces of a partition are gathered until they
 * make a batch worth sending. Asks for input only while the target is ready.
 */
public final class PartitionSink implements SinkOperator {
  /** Pieces are sent at this part of the usual batch size. */
  private static final int FILL_DIVISOR = 4;

  /** All pieces together are sent at so many batches' bytes, however many partitions there are. */
  private static final int PIECES_LIMIT_BATCHES = 4;

  private final RowPlacement placement;
  private final PartitionTarget target;
  private final List<Pieces> pieces = new ArrayList<>();
  private final Deque<Ready> ready = new ArrayDeque<>();
  private OperatorContext context;
  private Batch pending;
  private int nextPartition;
  private long pieceBytes;
  private boolean inputEnded;
  private boolean closed;

  private record Ready(int partition, Batch batch) {}

  /** What waits for one partition. */
  private static final class Pieces {
    private final List<Batch> batches = new ArrayList<>();
    private long rows;
    private long bytes;
  }

  /** Takes its place as one of the target's sinks. */
  public PartitionSink(RowPlacement placement, PartitionTarget target, int firstPartition) {
    this.placement = placement;
    this.target = target;
    this.nextPartition = firstPartition;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    if (placement instanceof RowPlacement.ByKeys keys) {
      for (int partition = 0; partition < keys.partitionCount(); partition++) {
        pieces.add(new Pieces());
      }
    }
  }

  @Override
  public void addInput(Batch input) {
    pending = input;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (target.isSatisfied()) {
      return Step.FINISHED;
    }
    if (pending != null) {
      Batch batch = pending;
      pending = null;
      place(batch);
    } else if (inputEnded) {
      flushAll();
    }
    Step.Blocked blocked = deliver();
    if (blocked != null) {
      return blocked;
    }
    if (inputEnded) {
      return Step.FINISHED;
    }
    context.memory().count(pieceBytes);
    // Nothing waits for a certain partition: ask that the next one has room.
    CompletableFuture<Void> room = target.ready(nextPartition);
    return room.isDone() ? Step.NEED_INPUT : new Step.Blocked(room, Step.BlockReason.DOWNSTREAM);
  }

  private Step.Blocked deliver() {
    while (!ready.isEmpty()) {
      CompletableFuture<Void> room = target.ready(ready.peek().partition());
      if (!room.isDone() || room.isCompletedExceptionally()) {
        return new Step.Blocked(room, Step.BlockReason.DOWNSTREAM);
      }
      Ready next = ready.poll();
      target.add(next.partition(), next.batch());
    }
    return null;
  }

  /** Consumes the batch. */
  private void place(Batch batch) {
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    switch (placement) {
      case RowPlacement.Single single ->
          ready.add(new Ready(0, batch.compact(context.allocator())));
      case RowPlacement.Rotating rotating -> {
        ready.add(new Ready(nextPartition, batch.compact(context.allocator())));
        nextPartition = (nextPartition + 1) % rotating.partitionCount();
      }
      case RowPlacement.ByKeys keys -> split(batch, keys);
    }
  }

  private void split(Batch batch, RowPlacement.ByKeys keys) {
    try (batch) {
      int[][] rows = RowPlacement.split(keys, batch);
      for (int partition = 0; partition < rows.length; partition++) {
        int count = rows[partition].length;
        if (count > 0) {
          Batch piece =
              batch.share().withSelection(rows[partition], count).compact(context.allocator());
          addPiece(partition, piece);
        }
      }
    }
    if (pieceBytes > PIECES_LIMIT_BATCHES * context.batchBytes()) {
      flushAll();
    }
  }

  private void addPiece(int partition, Batch piece) {
    Pieces waiting = pieces.get(partition);
    waiting.rows += piece.rowCount();
    long bytes = RowBytes.of(piece);
    waiting.bytes += bytes;
    pieceBytes += bytes;
    waiting.batches.add(piece);
    if (waiting.rows >= context.batchRows() / FILL_DIVISOR
        || waiting.bytes >= context.batchBytes() / FILL_DIVISOR) {
      flush(partition);
    }
  }

  private void flush(int partition) {
    Pieces waiting = pieces.get(partition);
    if (waiting.rows > 0) {
      List<Batch> batches = List.copyOf(waiting.batches);
      waiting.batches.clear();
      pieceBytes -= waiting.bytes;
      waiting.rows = 0;
      waiting.bytes = 0;
      ready.add(new Ready(partition, Batch.concat(batches, context.allocator())));
    }
  }

  private void flushAll() {
    for (int partition = 0; partition < pieces.size(); partition++) {
      flush(partition);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (pending != null) {
      pending.close();
      pending = null;
    }
    pieces.forEach(waiting -> waiting.batches.forEach(Batch::close));
    ready.forEach(waiting -> waiting.batch().close());
    target.sinkEnded();
  }
}
