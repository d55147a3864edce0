package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Settings;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * Replaces row references by their values. Gathers rows over several batches into chunks, takes
 * each chunk's distinct addresses in one sorted read, and has the next chunk's read under way while
 * the current one's rows go on. How many rows a chunk has follows from the size of the values seen
 * so far, so that two chunks stay within {@code fetch.bytes}.
 */
public final class FetchOperator implements Operator {
  /** Rows of the first chunk, when nothing is known of the values' size. */
  private static final int FIRST_CHUNK_ROWS = 64;

  private static final int CHUNKS_IN_FLIGHT = 2;

  private final PhysicalPlan.Fetch plan;
  private final SharedRowTaker shared;
  private final Schema schema;
  private final Deque<FetchChunk> chunks = new ArrayDeque<>();
  private OperatorContext context;
  private CompletableFuture<RowTaker> taker;
  private Batch pending;
  private int position;
  private FetchChunk filling;
  private boolean firstReceived;
  private long bytesPerRow;
  private boolean inputEnded;
  private boolean closed;

  public FetchOperator(PhysicalPlan.Fetch plan, SharedRowTaker shared) {
    this.plan = plan;
    this.shared = shared;
    this.schema = plan.outputSchema();
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
  public void addInput(Batch input) {
    pending = input;
    position = 0;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (taker == null) {
      taker = shared.taker(context::supplyBlocking);
    }
    if (!taker.isDone()) {
      return new Step.Blocked(taker.handle((opened, failure) -> null), Step.BlockReason.IO);
    }
    Step.Blocked blocked = startChunks();
    if (blocked != null) {
      return blocked;
    }
    FetchChunk first = chunks.peek();
    if (first != null && first.ready().isDone()) {
      return output(first);
    }
    if (pending == null && !inputEnded && chunks.size() < CHUNKS_IN_FLIGHT) {
      return Step.NEED_INPUT;
    }
    if (first != null) {
      return new Step.Blocked(first.ready(), Step.BlockReason.IO);
    }
    return Step.FINISHED;
  }

  /** Fills chunks from the pending rows and starts those that are full. */
  private Step.Blocked startChunks() {
    while (chunks.size() < CHUNKS_IN_FLIGHT) {
      if (pending != null) {
        fill();
      }
      boolean full = filling != null && filling.rowCount() >= chunkRows();
      boolean last = filling != null && inputEnded && pending == null && filling.rowCount() > 0;
      if (!full && !last) {
        return null;
      }
      Step.Blocked blocked =
          context.memory().require((chunks.size() + 1L) * filling.rowCount() * bytesPerRow);
      if (blocked != null) {
        return blocked;
      }
      FetchChunk started = filling;
      filling = null;
      chunks.add(started);
      started.start(taker.join());
    }
    return null;
  }

  private int chunkRows() {
    int most = context.configuration().value(Settings.FETCH_ROWS);
    if (!firstReceived) {
      return Math.min(most, FIRST_CHUNK_ROWS);
    }
    long budget = context.configuration().value(Settings.FETCH_BYTES) / CHUNKS_IN_FLIGHT;
    return (int) Math.clamp(budget / Math.max(1, bytesPerRow), 1, most);
  }

  private void fill() {
    if (filling == null) {
      filling = new FetchChunk(plan.columns(), context);
    }
    int count =
        Math.min(pending.rowCount() - position, Math.max(0, chunkRows() - filling.rowCount()));
    if (count > 0) {
      filling.add(pending.slice(position, count));
      position += count;
    }
    if (position >= pending.rowCount()) {
      pending.close();
      pending = null;
    }
  }

  private Step output(FetchChunk chunk) {
    long bytes = chunk.receive();
    if (bytes > 0) {
      bytesPerRow = Math.max(1, bytes / chunk.rowCount());
      context.metrics().recordHeldBytes(bytes * chunks.size());
    }
    firstReceived = true;
    Batch rows = chunk.next(context.rowsPerBatch(bytesPerRow), schema);
    if (rows != null) {
      return new Step.Output(rows);
    }
    chunks.poll();
    chunk.close();
    if (chunks.isEmpty()) {
      context.memory().settle(0);
    }
    return CONTINUE;
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
    if (filling != null) {
      filling.close();
      filling = null;
    }
    chunks.forEach(FetchChunk::close);
    chunks.clear();
  }
}
