package io.millrace.exec.format.text;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Step;
import io.millrace.exec.format.file.PinnedFile;
import java.util.concurrent.CompletableFuture;

/** Reads one split of a text file: bytes off the driver's thread, records on it. */
public final class TextSource implements BatchSource {
  private static final int CHUNK_BYTES = 1 << 20;

  private final TextFile file;
  private final TextSplit split;
  private final RecordDecoder decoder;
  private final ConnectorContext context;
  private final ChunkFeed feed;
  private final long limitRows;
  private long givenRows;
  private long readBytes;
  private boolean ended;
  private CompletableFuture<Void> failure;
  private boolean closed;

  /** Makes the decoder of a split. */
  @FunctionalInterface
  public interface DecoderFactory {
    RecordDecoder of(TextSplit split);
  }

  public TextSource(
      ScanSpecification specification,
      Split split,
      DecoderFactory decoders,
      ConnectorContext context) {
    this.split = TextSplit.of(split);
    PinnedFile pinned = PinnedFile.of(specification.source()).get(this.split.file());
    this.file = new TextFile(pinned, context.stores());
    this.decoder = decoders.of(this.split);
    this.context = context;
    this.feed = new ChunkFeed(file, this.split, CHUNK_BYTES, context.blockingWork());
    this.limitRows = specification.limit().orElse(Long.MAX_VALUE);
  }

  @Override
  public Step poll() {
    while (true) {
      if (closed || givenRows >= limitRows) {
        return Step.FINISHED;
      }
      if (failure != null) {
        return new Step.Blocked(failure, Step.BlockReason.IO);
      }
      try {
        Batch batch = decoder.next();
        if (batch != null) {
          givenRows += batch.rowCount();
          return new Step.Output(batch);
        }
      } catch (RecordFault fault) {
        failure = CompletableFuture.runAsync(() -> fail(fault), context.blockingWork());
        continue;
      }
      if (ended) {
        return Step.FINISHED;
      }
      CompletableFuture<ChunkFeed.Chunk> reading = feed.reading();
      if (!reading.isDone()) {
        return new Step.Blocked(reading.thenAccept(chunk -> {}), Step.BlockReason.IO);
      }
      ChunkFeed.Chunk chunk = feed.take();
      readBytes += chunk.length();
      ended = chunk.last();
      decoder.accept(chunk.bytes(), chunk.length(), chunk.last());
    }
  }

  /** Counting lines reads the file again, which may block. */
  private void fail(RecordFault fault) {
    long line = file.lineAt(split.from() + fault.offset());
    throw new MillraceException(
        fault.code(), fault.getMessage() + " Line " + line + " of '" + file.path() + "'", fault);
  }

  @Override
  public long readBytes() {
    return readBytes;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      feed.close();
      decoder.close();
    }
  }
}
