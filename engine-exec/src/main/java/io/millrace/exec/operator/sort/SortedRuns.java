package io.millrace.exec.operator.sort;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.row.RowConcatenation;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.spill.SpillFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Sorted runs on disk. Filled and closed by one thread at a time. */
final class SortedRuns implements AutoCloseable {
  /** Rows of a run; making one takes about as much again, while memory is short. */
  private static final long RUN_BYTES = 32L << 20;

  private static final long RUN_BATCH_BYTES = 1L << 19;

  /** Batches of a run that a merge holds: one read ahead, one merged, one's part of the output. */
  private static final int MERGE_BATCHES = 3;

  private final Schema schema;
  private final RowOrder order;
  private final OperatorContext context;
  private final List<SpillFile> files = new ArrayList<>();
  private long mergeBytes;

  SortedRuns(Schema schema, RowOrder order, OperatorContext context) {
    this.schema = schema;
    this.order = order;
    this.context = context;
  }

  boolean isEmpty() {
    return files.isEmpty();
  }

  /** Bytes that a merge of all runs holds. */
  long mergeBytes() {
    return mergeBytes;
  }

  /**
   * Sorts rows and writes them; blocks. Consumes the batches, also on error.
   *
   * @param batches without selections
   */
  void add(List<Batch> batches) {
    List<Batch> group = new ArrayList<>();
    int next = 0;
    try {
      while (next < batches.size()) {
        long bytes = 0;
        while (next < batches.size() && (group.isEmpty() || bytes < RUN_BYTES)) {
          bytes += batches.get(next).retainedBytes();
          group.add(batches.get(next++));
        }
        List<Batch> run = List.copyOf(group);
        group.clear();
        writeRun(run);
      }
    } finally {
      group.forEach(Batch::close);
      batches.subList(next, batches.size()).forEach(Batch::close);
    }
  }

  private void writeRun(List<Batch> batches) {
    Batch joined = null;
    try (RowConcatenation concatenation =
        new RowConcatenation(schema, batches, context.allocator())) {
      while (joined == null) {
        joined = concatenation.step();
      }
    }
    try (RowSorter sorter = new RowSorter(joined, order, context.allocator())) {
      while (!sorter.step()) {
        if (context.isCancelled()) {
          return;
        }
      }
      SpillFile file = SpillFile.create(context.configuration());
      files.add(file);
      long bytesPerRow = Math.max(1, sorter.bytesPerRow());
      int rows = (int) Math.clamp(RUN_BATCH_BYTES / bytesPerRow, 1, context.batchRows());
      long largestBytes = 0;
      for (int row = 0; row < sorter.rowCount(); row += rows) {
        try (Batch batch = sorter.rows(row, Math.min(rows, sorter.rowCount() - row))) {
          largestBytes = Math.max(largestBytes, batch.retainedBytes());
          file.write(batch, context.allocator());
        }
      }
      mergeBytes += MERGE_BATCHES * largestBytes;
      context.metrics().addSpillBytes(file.writtenBytes());
    }
  }

  /** The merge of all runs, not yet opened; owned by the caller. The files stay here. */
  SortedMerge merge() {
    return new SortedMerge(
        schema, order.keys(), files.stream().map(file -> new Reader(file, context)).toList());
  }

  /** Reads a run, one batch ahead. */
  private static final class Reader implements SortedMerge.Input {
    private final SpillFile file;
    private final OperatorContext context;
    private CompletableFuture<Optional<Batch>> next;
    private boolean closed;

    Reader(SpillFile file, OperatorContext context) {
      this.file = file;
      this.context = context;
    }

    @Override
    public Step poll() {
      if (next == null) {
        readNext();
      }
      if (!next.isDone()) {
        return new Step.Blocked(next.handle((batch, failure) -> null), Step.BlockReason.IO);
      }
      Optional<Batch> batch = next.join();
      if (batch.isEmpty()) {
        return Step.FINISHED;
      }
      readNext();
      return new Step.Output(batch.get());
    }

    private void readNext() {
      next = context.supplyBlocking(() -> file.read(context.allocator()));
    }

    @Override
    public void close() {
      if (!closed && next != null) {
        context.track(
            next.whenComplete(
                (batch, failure) -> {
                  if (batch != null) {
                    batch.ifPresent(Batch::close);
                  }
                }));
      }
      closed = true;
    }
  }

  @Override
  public void close() {
    files.forEach(SpillFile::close);
    files.clear();
  }
}
