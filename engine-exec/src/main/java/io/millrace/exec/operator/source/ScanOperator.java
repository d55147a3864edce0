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
import java.util.Optional;
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
  private OperatorContext context;
  private ConnectorContext ownContext;
  private Reading current;
  private Reading next;
  private boolean closed;

  /** A split that is read. */
  private static final class Reading {
    private final BatchSource source;
    private Step early;
    private long countedBytes;
    private long rows;

    Reading(BatchSource source) {
      this.source = source;
    }
  }

  public ScanOperator(
      ScanSpecification specification,
      SplitQueue splits,
      Connector connector,
      ConnectorContext connectorContext) {
    this.specification = specification;
    this.splits = splits;
    this.connector = connector;
    this.connectorContext = connectorContext;
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
    while (true) {
      if (current == null) {
        current = next == null ? openNext() : next;
        next = null;
        if (current == null) {
          return Step.FINISHED;
        }
      }
      readAhead();
      Step step = poll(current);
      countBytes(current);
      switch (step) {
        case Step.Output output -> {
          return output(output.batch());
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

  private Step output(Batch batch) {
    current.rows += batch.rowCount();
    OptionalLong limit = specification.limit();
    if (limit.isPresent() && current.rows >= limit.getAsLong()) {
      release(current);
      current = null;
    }
    Batch named = batch.withSchema(outputSchema());
    return new Step.Output(isAscending(named) ? named : named.compact(context.allocator()));
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
    Optional<Split> split = splits.take();
    return split
        .map(value -> new Reading(connector.openScan(specification, value, ownContext)))
        .orElse(null);
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
