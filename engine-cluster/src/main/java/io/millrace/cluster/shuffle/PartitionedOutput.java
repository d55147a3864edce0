package io.millrace.cluster.shuffle;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.Reservation;
import io.millrace.exec.build.TaskOutput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Takes a task's batches from operator threads and writes them to the store on a thread that may
 * block. Small pieces of a partition are joined before they are written. At most {@code queueBytes}
 * wait to be written and as many to be joined, plus one batch per driver; all are reserved from the
 * process's budget, and when it is short they are written at once.
 */
public final class PartitionedOutput implements TaskOutput, AutoCloseable {
  /** Pieces are joined to frames of about this size: large enough to stream well. */
  private static final long FRAME_BYTES = 1L << 20;

  /** Many tiny rows: joining more at once gains nothing. */
  private static final int FRAME_ROWS = 32_768;

  private record Piece(int partition, Batch batch, long bytes) {}

  /** Batches of one partition that wait to be joined; touched only by the writing thread. */
  private static final class Gathered {
    private final List<Batch> batches = new ArrayList<>();
    private long bytes;
    private long rows;
  }

  private final ShuffleStore.Writer writer;
  private final BufferAllocator allocator;
  private final Executor blockingWork;
  private final long queueBytes;
  private final Reservation reservation;
  private final List<Gathered> partitions;

  /** Bytes of all partitions that wait to be joined; touched only by the writing thread. */
  private long gatheredBytes;

  // Guarded by this.
  private final Deque<Piece> queue = new ArrayDeque<>();
  private long queuedBytes;

  /** Bytes held without a reservation, because the budget was short. */
  private long unreservedBytes;

  private boolean writing;
  private boolean closed;
  private long rowCount;
  private MillraceException failure;
  private CompletableFuture<Void> space = CompletableFuture.completedFuture(null);

  /**
   * An output into the writer, which it owns.
   *
   * @param allocator for joined batches; closed by the caller after this
   * @param reservation for the bytes held, owned by this output
   */
  public PartitionedOutput(
      ShuffleStore.Writer writer,
      int partitionCount,
      BufferAllocator allocator,
      Executor blockingWork,
      long queueBytes,
      Reservation reservation) {
    this.writer = writer;
    this.allocator = allocator;
    this.blockingWork = blockingWork;
    this.queueBytes = queueBytes;
    this.reservation = reservation;
    this.partitions = new ArrayList<>();
    for (int partition = 0; partition < partitionCount; partition++) {
      partitions.add(new Gathered());
    }
  }

  @Override
  public synchronized CompletableFuture<Void> ready() {
    return failure == null ? space : CompletableFuture.failedFuture(failure);
  }

  @Override
  public void add(int partition, Batch batch) {
    synchronized (this) {
      if (closed || failure != null) {
        batch.close();
        return;
      }
      long bytes = batch.retainedBytes();
      if (!reservation.tryReserve(bytes)) {
        unreservedBytes += bytes;
      }
      rowCount += batch.rowCount();
      queue.add(new Piece(partition, batch, bytes));
      queuedBytes += bytes;
      if (isFull() && space.isDone()) {
        space = new CompletableFuture<>();
      }
      if (writing) {
        return;
      }
      writing = true;
    }
    blockingWork.execute(this::writeQueued);
  }

  private boolean isFull() {
    return queuedBytes >= queueBytes || unreservedBytes > 0;
  }

  private void writeQueued() {
    while (true) {
      Piece piece;
      boolean isShort;
      synchronized (this) {
        piece = queue.poll();
        if (piece == null) {
          writing = false;
          notifyAll();
          return;
        }
        queuedBytes -= piece.bytes();
        isShort = unreservedBytes > 0;
      }
      try {
        gather(piece);
        if (isShort || gatheredBytes >= queueBytes) {
          writeGathered();
        }
      } catch (RuntimeException | Error problem) {
        fail(MillraceException.of(problem));
      }
      wakeIfRoom();
    }
  }

  private void wakeIfRoom() {
    CompletableFuture<Void> wake;
    synchronized (this) {
      if (isFull() || space.isDone()) {
        return;
      }
      wake = space;
    }
    wake.complete(null);
  }

  private void gather(Piece piece) {
    Gathered gathered = partitions.get(piece.partition());
    gathered.batches.add(piece.batch());
    gathered.bytes += piece.bytes();
    gathered.rows += piece.batch().rowCount();
    gatheredBytes += piece.bytes();
    if (gathered.bytes >= FRAME_BYTES || gathered.rows >= FRAME_ROWS) {
      write(piece.partition(), gathered);
    }
  }

  private void writeGathered() {
    for (int partition = 0; partition < partitions.size(); partition++) {
      if (!partitions.get(partition).batches.isEmpty()) {
        write(partition, partitions.get(partition));
      }
    }
  }

  private void write(int partition, Gathered gathered) {
    List<Batch> batches = List.copyOf(gathered.batches);
    long bytes = gathered.bytes;
    gathered.batches.clear();
    gathered.bytes = 0;
    gathered.rows = 0;
    gatheredBytes -= bytes;
    byte[] frame = BatchFrames.encode(Batch.concat(batches, allocator), allocator);
    release(bytes);
    writer.append(partition, frame);
  }

  private void release(long bytes) {
    long reserved;
    synchronized (this) {
      long covered = Math.min(unreservedBytes, bytes);
      unreservedBytes -= covered;
      reserved = bytes - covered;
    }
    reservation.release(reserved);
  }

  private void fail(MillraceException problem) {
    CompletableFuture<Void> wake;
    synchronized (this) {
      failure = failure == null ? problem : failure;
      wake = space;
    }
    wake.completeExceptionally(problem);
  }

  /**
   * Writes what is left and makes the output readable; blocks. Called once, after the task ended
   * well.
   *
   * @return bytes of each partition
   */
  public List<Long> publish() {
    awaitWritten();
    synchronized (this) {
      if (failure != null) {
        throw failure;
      }
      closed = true;
    }
    writeGathered();
    return writer.publish();
  }

  private synchronized void awaitWritten() {
    while (writing) {
      try {
        wait();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new MillraceException(
            ErrorCode.CANCELLED, "The task was stopped while it wrote its output", interrupted);
      }
    }
  }

  /** Rows taken so far. */
  public synchronized long rowCount() {
    return rowCount;
  }

  /** Bytes of the output that lie on disk. */
  public long bytesInFile() {
    return writer.bytesInFile();
  }

  /** Drops what was not published; returns when nothing is written any more. */
  @Override
  public void close() {
    List<Piece> dropped;
    synchronized (this) {
      closed = true;
      dropped = List.copyOf(queue);
      queue.clear();
      queuedBytes = 0;
    }
    dropped.forEach(piece -> piece.batch().close());
    boolean interrupted = false;
    synchronized (this) {
      while (writing) {
        try {
          wait();
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
    }
    for (Gathered gathered : partitions) {
      gathered.batches.forEach(Batch::close);
      gathered.batches.clear();
    }
    writer.close();
    reservation.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
