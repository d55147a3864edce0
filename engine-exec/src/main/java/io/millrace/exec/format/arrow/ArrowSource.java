package io.millrace.exec.format.arrow;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.Step;
import io.millrace.exec.format.file.PinnedFile;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.OutOfMemoryException;

/** Reads record batches of one file: bytes off the driver's thread, one batch ahead. */
final class ArrowSource implements BatchSource {
  private final PinnedFile file;
  private final int from;
  private final int to;
  private final ConnectorContext context;
  private final ScanSpecification specification;
  private final long limitRows;
  private ArrowMessages messages;
  private ArrowDecoder decoder;
  private CompletableFuture<List<byte[]>> loading;
  private Batch current;
  private int nextRow;
  private long givenRows;
  private long readBytes;
  private volatile boolean closed;

  ArrowSource(
      ScanSpecification specification,
      PinnedFile file,
      int from,
      int to,
      ConnectorContext context) {
    this.specification = specification;
    this.file = file;
    this.from = from;
    this.to = to;
    this.context = context;
    this.limitRows = specification.limit().orElse(Long.MAX_VALUE);
  }

  @Override
  public Step poll() {
    while (true) {
      if (closed || givenRows >= limitRows) {
        return Step.FINISHED;
      }
      if (current != null) {
        return new Step.Output(slice());
      }
      if (loading == null) {
        startLoading();
      }
      if (!loading.isDone()) {
        return new Step.Blocked(loading.thenAccept(ignored -> {}), Step.BlockReason.IO);
      }
      List<byte[]> loaded = loaded();
      if (loaded.isEmpty()) {
        closed = true;
        release();
        return Step.FINISHED;
      }
      loaded.forEach(message -> readBytes += message.length);
      startLoading();
      decode(loaded);
    }
  }

  private Batch slice() {
    int rows =
        Math.min(context.configuration().value(Settings.BATCH_ROWS), current.rowCount() - nextRow);
    Batch batch = current.slice(nextRow, rows);
    nextRow += rows;
    givenRows += rows;
    if (nextRow >= current.rowCount()) {
      current.close();
      current = null;
    }
    return batch;
  }

  private void decode(List<byte[]> loaded) {
    if (decoder == null) {
      decoder = new ArrowDecoder(specification, context.allocator());
    }
    try {
      Batch batch = decoder.decode(loaded);
      if (batch.rowCount() == 0) {
        batch.close();
        return;
      }
      current = batch;
      nextRow = 0;
    } catch (OutOfMemoryException problem) {
      throw problem;
    } catch (IOException | RuntimeException | AssertionError problem) {
      throw ArrowLayout.damaged(file.path(), problem);
    }
  }

  private void startLoading() {
    loading = CompletableFuture.supplyAsync(this::load, context.blockingWork());
  }

  private List<byte[]> loaded() {
    CompletableFuture<List<byte[]>> done = loading;
    loading = null;
    try {
      return done.join();
    } catch (RuntimeException problem) {
      throw MillraceException.of(problem);
    }
  }

  private List<byte[]> load() {
    if (closed) {
      return List.of();
    }
    try (ByteSource source = context.stores().of(file.uri()).open(file.uri())) {
      file.requireSame(source);
      try {
        if (messages == null) {
          ArrowLayout layout = ArrowLayout.read(source, file.path());
          messages = new ArrowMessages(layout, from, to);
        }
        return messages.next(source);
      } catch (MillraceException problem) {
        throw problem;
      } catch (EOFException | RuntimeException problem) {
        throw ArrowLayout.damaged(file.path(), problem);
      } catch (IOException problem) {
        if (problem.getClass() == IOException.class) {
          throw ArrowLayout.damaged(file.path(), problem);
        }
        throw problem;
      }
    } catch (IOException problem) {
      throw new MillraceException(
          ErrorCode.IO_FAILED,
          "The file cannot be read: '" + file.path() + "': " + problem.getMessage(),
          problem);
    }
  }

  private void release() {
    if (current != null) {
      current.close();
      current = null;
    }
    if (decoder != null) {
      decoder.close();
      decoder = null;
    }
  }

  @Override
  public long readBytes() {
    return readBytes;
  }

  @Override
  public void close() {
    closed = true;
    if (loading != null) {
      loading.cancel(false);
      loading = null;
    }
    release();
  }
}
