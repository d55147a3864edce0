package io.millrace.exec.operator.source;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.pipeline.SourceOperator;
import java.util.OptionalLong;

/**
 * Reads splits one after the other; the next one is opened and polled once while the current one is
 * read, so that its first bytes are on their way.
 */
public final class ScanOperator implements SourceOperator {
  private final ScanSpecification specification;
  private final SplitQueue splits;
  private final Connector connector;
  private final ConnectorContext connectorContext;
  private final ScanFilters filters;
  private OperatorContext context;
  private ConnectorContext ownContext;
  private Reading current;
  private Reading next;
  private boolean closed;

  /** A split that is read. */
  private static final class Reading {
    private final BatchSource source;

    /** Whether the source leaves out what the filters drop. */
    private final boolean filtered;

    private Step early;
    private long countedBytes;
    private long rows;

    Reading(BatchSource source, boolean filtered) {
      this.source = source;
      this.filtered = filtered;
    }
  }

  /**
   * @param filters what joins tell about the rows they want; nothing is read before all have
   */
  public ScanOperator(
      ScanSpecification specification,
      SplitQueue splits,
      Connector connector,
      ConnectorContext connectorContext,
      ScanFilters filters) {
    this.specification = specification;
    this.splits = splits;
    this.connector = connector;
    this.connectorContext = connectorContext;
    this.filters = filters;
  }

  @Override
  public Schema outputSchema() {
    return specification.outputSchema();
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    ownContext =
        new ConnectorContext(
            context.allocator(),
            connectorContext.blockingWork(),
            connectorContext.stores(),
            context.configuration());
  }

  @Override
  public Step advance() {
    if (!filters.ready().isDone()) {
      return new Step.Blocked(filters.ready(), Step.BlockReason.UPSTREAM);
    }
    while (true) {
      if (current == null) {
        current = next == null ? openNext() : next;
        next = null;
        if (current == null) {
          return Step.FINISHED;
        }
      }
      if (hasRoom()) {
        readAhead();
      }
      Step step = poll(current);
      countBytes(current);
      switch (step) {
        case Step.Output output -> {
          Batch batch = output(output.batch());
          if (batch != null) {
            return new Step.Output(batch);
          }
          return CONTINUE;
        }
        case Step.Blocked blocked -> {
          return blocked;
        }
        case Step.Finished finished -> {
          release(current);
          current = null;
        }
        case Step.NeedInput needInput ->
            throw new MillraceException(ErrorCode.INTERNAL_ERROR, "A source asked for input.");
      }
    }
  }

  /** Charges what the sources hold; false when memory is short, so that nothing is read ahead. */
  private boolean hasRoom() {
    long held = current.source.heldBytes() + (next == null ? 0 : next.source.heldBytes());
    context.memory().count(held);
    return context.memory().stateBytes() >= held;
  }

  private void readAhead() {
    if (next == null) {
      next = openNext();
      if (next != null) {
        next.early = next.source.poll();
      }
    }
  }

  private static Step poll(Reading reading) {
    Step early = reading.early;
    reading.early = null;
    boolean stale = early instanceof Step.Blocked blocked && blocked.ready().isDone();
    return early == null || stale ? reading.source.poll() : early;
  }

  /** The rows of use; null when there are none. Consumes the batch. */
  private Batch output(Batch given) {
    Batch batch = current.filtered ? given : filters.apply(given);
    if (batch == null) {
      return null;
    }
    current.rows += batch.rowCount();
    OptionalLong limit = specification.limit();
    if (limit.isPresent() && current.rows >= limit.getAsLong()) {
      release(current);
      current = null;
    }
    Batch named = batch.withSchema(outputSchema());
    return isAscending(named) ? named : named.compact(context.allocator());
  }

  /** Expressions need ascending selections; a source may give any. */
  private static boolean isAscending(Batch batch) {
    int[] selection = batch.selection();
    if (selection != null) {
      for (int row = 1; row < batch.rowCount(); row++) {
        if (selection[row] <= selection[row - 1]) {
          return false;
        }
      }
    }
    return true;
  }

  private Reading openNext() {
    return splits.take().map(this::open).orElse(null);
  }

  private Reading open(Split split) {
    BatchSource source = connector.openScan(specification, split, ownContext);
    try {
      return new Reading(source, filters.isEmpty() || source.restrict(filters.filters()));
    } catch (RuntimeException | Error failure) {
      source.close();
      throw failure;
    }
  }

  private void countBytes(Reading reading) {
    long bytes = reading.source.readBytes();
    context.metrics().addReadBytes(bytes - reading.countedBytes);
    reading.countedBytes = bytes;
  }

  private void release(Reading reading) {
    if (reading.early instanceof Step.Output output) {
      output.batch().close();
    }
    reading.early = null;
    countBytes(reading);
    reading.source.close();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (current != null) {
        release(current);
      }
    } finally {
      if (next != null) {
        release(next);
      }
    }
  }
}
