package io.millrace.exec.operator.recursion;

import io.millrace.core.batch.Batch;
import io.millrace.core.memory.Reservation;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Step;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.spill.SpillFile;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * The rows of one iteration: first written, then read once. What does not fit into a share of the
 * budget goes to a file. Used by one thread at a time.
 */
final class WorkTable implements BatchSource {
  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  private final OperatorContext context;
  private final Reservation reservation;
  private final long limitBytes;
  private final Queue<Batch> batches = new ArrayDeque<>();
  private long heldBytes;
  private SpillFile file;
  private boolean fileEnded;

  /** A read of the file that is under way. */
  private CompletableFuture<Optional<Batch>> reading;

  private boolean closed;

  WorkTable(OperatorContext context, Reservation reservation, long limitBytes) {
    this.context = context;
    this.reservation = reservation;
    this.limitBytes = limitBytes;
  }

  boolean isEmpty() {
    return batches.isEmpty() && file == null;
  }

  /** Takes a batch; the future ends when the next one may come. */
  CompletableFuture<Void> write(Batch batch) {
    long bytes = batch.retainedBytes();
    if (file == null && heldBytes + bytes <= limitBytes && reservation.tryReserve(bytes)) {
      heldBytes += bytes;
      batches.add(batch);
      return NOW;
    }
    return context.supplyBlocking(
        () -> {
          try (batch) {
            if (file == null) {
              file = SpillFile.create(context.configuration());
            }
            long before = file.writtenBytes();
            file.write(batch, context.allocator());
            context.metrics().addSpillBytes(file.writtenBytes() - before);
          }
          return null;
        });
  }

  @Override
  public Step poll() {
    Batch batch = batches.poll();
    if (batch != null) {
      long bytes = Math.min(heldBytes, batch.retainedBytes());
      heldBytes -= bytes;
      reservation.release(bytes);
      return new Step.Output(batch);
    }
    if (file == null || fileEnded || closed) {
      return Step.FINISHED;
    }
    if (reading == null) {
      reading = context.supplyBlocking(() -> file.read(context.allocator()));
    }
    if (!reading.isDone()) {
      return new Step.Blocked(reading.thenAccept(read -> {}), Step.BlockReason.IO);
    }
    Optional<Batch> read = reading.join();
    reading = null;
    fileEnded = read.isEmpty();
    return fileEnded ? Step.FINISHED : new Step.Output(read.get());
  }

  @Override
  public long readBytes() {
    return 0;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    batches.forEach(Batch::close);
    batches.clear();
    reservation.release(heldBytes);
    heldBytes = 0;
    if (reading != null) {
      context.track(reading.thenAccept(read -> read.ifPresent(Batch::close)).handle(this::ended));
    } else {
      closeFile();
    }
  }

  private Void ended(Void nothing, Throwable failure) {
    closeFile();
    return null;
  }

  private void closeFile() {
    if (file != null) {
      file.close();
    }
  }
}
