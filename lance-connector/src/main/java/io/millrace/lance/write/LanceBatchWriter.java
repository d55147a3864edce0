package io.millrace.lance.write;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchWriter;
import io.millrace.lance.jni.FragmentFile;
import io.millrace.lance.jni.FragmentWriter;
import io.millrace.lance.jni.WriteTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/** Writes the rows of one task attempt into fragments of bounded size, one file each. */
final class LanceBatchWriter implements BatchWriter {
  private final WriteTarget target;
  private final int[] columnOfField;
  private final FragmentLimits limits;
  private final TableFiles files;
  private final String attemptId;
  private final BufferAllocator allocator;
  private final List<FragmentFile> finished = new ArrayList<>();
  private FragmentWriter current;
  private long currentRows;
  private long currentBytes;
  private boolean done;

  /**
   * @param columnOfField for each column of the target the rows' column, or −1 for nulls
   */
  LanceBatchWriter(
      WriteTarget target,
      int[] columnOfField,
      FragmentLimits limits,
      TableFiles files,
      String attemptId,
      BufferAllocator allocator) {
    this.target = target;
    this.columnOfField = columnOfField;
    this.limits = limits;
    this.files = files;
    this.attemptId = attemptId;
    this.allocator = allocator;
  }

  @Override
  public void write(Batch batch) {
    try (Batch flat = batch.flatten(allocator)) {
      if (flat.rowCount() == 0) {
        return;
      }
      ArrowRecordBatch exported =
          BatchExport.export(flat, target.schema(), columnOfField, allocator);
      currentRows += flat.rowCount();
      currentBytes += exported.computeBodyLength();
      if (current == null) {
        current = new FragmentWriter(target, allocator, limits.queueBytes());
        current.open();
      }
      await(current.write(exported));
    }
    if (currentRows >= limits.rows() || currentBytes >= limits.bytes()) {
      finishFragment();
    }
  }

  private void finishFragment() {
    if (current == null) {
      return;
    }
    try (FragmentWriter writer = current) {
      finished.addAll(await(writer.finish()));
    } finally {
      current = null;
      currentRows = 0;
      currentBytes = 0;
    }
  }

  @Override
  public byte[] finish() {
    finishFragment();
    byte[] encoded = AttemptFragments.encode(finished);
    if (!finished.isEmpty()) {
      files.note(attemptId, encoded);
    }
    done = true;
    return encoded;
  }

  private static <T> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException failure) {
      throw MillraceException.of(failure);
    }
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
      current = null;
    }
    if (!done) {
      done = true;
      finished.forEach(files::remove);
    }
  }
}
