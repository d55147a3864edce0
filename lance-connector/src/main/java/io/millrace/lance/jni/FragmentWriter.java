package io.millrace.lance.jni;

import io.millrace.core.error.MillraceException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.WriteFragmentBuilder;
import org.lance.WriteParams;

/**
 * Writes one data file of a dataset from batches handed to it. The native writer pulls and so holds
 * a thread of its own from {@link #open} to the end; the caller is never blocked but by {@link
 * #close}. Called by one thread.
 *
 * <p>One file only: when a native write of several files fails, the finished ones stay behind under
 * names that nobody learns. A single file is not there until it is complete.
 */
public final class FragmentWriter implements AutoCloseable {
  private final WriteTarget target;
  private final BufferAllocator allocator;
  private final BatchQueueReader queue;
  private final CompletableFuture<List<FragmentFile>> result = new CompletableFuture<>();
  private Thread thread;

  /**
   * @param allocator charged for the stream's own buffers
   * @param queueLimitBytes batches that may wait before the caller is asked to
   */
  public FragmentWriter(WriteTarget target, BufferAllocator allocator, long queueLimitBytes) {
    this.target = target;
    this.allocator = allocator;
    this.queue = new BatchQueueReader(allocator, target.schema(), queueLimitBytes);
  }

  public void open() {
    thread = Thread.ofPlatform().daemon().name("lance-fragment-writer").start(this::run);
  }

  /**
   * Hands a batch over; its buffers are released when written or dropped.
   *
   * @return completes when the next batch may be handed over
   * @throws MillraceException when writing has failed
   */
  public CompletableFuture<Void> write(ArrowRecordBatch batch) {
    CompletableFuture<Void> space = queue.offer(batch);
    if (result.isCompletedExceptionally()) {
      throw MillraceException.of(result.exceptionNow());
    }
    return space;
  }

  /** Ends the file. The future gives it, or nothing when no row was written; it may fail. */
  public CompletableFuture<List<FragmentFile>> finish() {
    queue.end();
    return result;
  }

  /** Gives up unless the file is finished, and waits for the native writer to leave. */
  @Override
  public void close() {
    if (thread == null) {
      return;
    }
    if (!result.isDone()) {
      queue.abort();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException signal) {
        interrupted = true; // The native side still holds our buffers; it leaves at its next read.
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    thread = null;
  }

  private void run() {
    try {
      result.complete(writeAll());
    } catch (Throwable failure) {
      result.completeExceptionally(LanceFailure.of(failure, "write to it", target.location()));
      queue.abort();
    }
  }

  private List<FragmentFile> writeAll() throws Exception {
    try (queue;
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, queue, stream);
      WriteFragmentBuilder writer =
          Fragment.write()
              .datasetUri(target.location().uri())
              .allocator(allocator)
              .data(stream)
              .mode(
                  target.appending() ? WriteParams.WriteMode.APPEND : WriteParams.WriteMode.CREATE)
              .maxRowsPerFile(Integer.MAX_VALUE)
              .maxBytesPerFile(Long.MAX_VALUE)
              .dataStorageVersion(target.format())
              .enableStableRowIds(target.stableRowIds());
      if (!target.location().storageOptions().isEmpty()) {
        writer.storageOptions(target.location().storageOptions());
      }
      List<FragmentMetadata> written = writer.execute();
      return written.stream().map(FragmentFile::new).toList();
    }
  }
}
