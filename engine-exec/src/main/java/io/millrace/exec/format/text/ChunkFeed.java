package io.millrace.exec.format.text;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Reads a split in chunks off the calling thread, one chunk ahead. Used by one thread at a time;
 * holds at most two chunks.
 */
final class ChunkFeed implements AutoCloseable {
  private final TextFile file;
  private final TextSplit split;
  private final int chunkBytes;
  private final Executor blockingWork;
  private CompletableFuture<Chunk> reading;

  /** Only touched by the task that reads, one at a time. */
  private InputStream input;

  private long left;
  private volatile boolean closed;

  /** Some bytes; {@code last} when nothing follows. */
  record Chunk(byte[] bytes, int length, boolean last) {}

  ChunkFeed(TextFile file, TextSplit split, int chunkBytes, Executor blockingWork) {
    this.file = file;
    this.split = split;
    this.chunkBytes = chunkBytes;
    this.blockingWork = blockingWork;
    this.left = split.to() - split.from();
  }

  /** The read that is on its way; a further call gives the same one until it is taken. */
  CompletableFuture<Chunk> reading() {
    if (reading == null) {
      reading = CompletableFuture.supplyAsync(this::read, blockingWork);
    }
    return reading;
  }

  /** The finished read's chunk; starts the next read. */
  Chunk take() {
    try {
      Chunk chunk = reading.join();
      reading = chunk.last() ? reading : CompletableFuture.supplyAsync(this::read, blockingWork);
      return chunk;
    } catch (RuntimeException problem) {
      throw MillraceException.of(problem);
    }
  }

  private Chunk read() {
    if (closed) {
      throw new MillraceException(ErrorCode.CANCELLED, "The query was cancelled.");
    }
    try {
      if (input == null) {
        input = file.open(split.from(), split.to());
      }
      byte[] bytes = new byte[(int) Math.min(chunkBytes, Math.max(left, 1))];
      int length = input.readNBytes(bytes, 0, (int) Math.min(bytes.length, left));
      left -= length;
      return new Chunk(bytes, length, length < bytes.length || left == 0);
    } catch (IOException problem) {
      throw file.failure(problem);
    }
  }

  @Override
  public void close() {
    closed = true;
    CompletableFuture<Chunk> running =
        reading == null ? CompletableFuture.completedFuture(null) : reading;
    // The stream is closed by whoever is last: this call, or the read still in flight.
    var unused = running.whenComplete((chunk, problem) -> closeInput());
  }

  private void closeInput() {
    InputStream opened = input;
    input = null;
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException ignored) {
        // Nothing was written; a failed close of a file that was only read loses nothing.
      }
    }
  }
}
