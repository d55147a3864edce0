package io.millrace.cluster.job;

import io.millrace.cluster.protocol.ProfileCodec;
import io.millrace.cluster.shuffle.BatchFrames;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.type.Schema;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;

/** The frames of a result as batches. */
final class FrameResultStream implements ResultStream {
  private final Schema schema;
  private final FrameSource frames;
  private final BufferAllocator allocator;
  private final Consumer<ResultStream> onClose;
  private volatile QueryProfile profile = QueryProfile.EMPTY;
  private boolean ended;

  FrameResultStream(
      Schema schema,
      FrameSource frames,
      BufferAllocator allocator,
      Consumer<ResultStream> onClose) {
    this.schema = schema;
    this.frames = frames;
    this.allocator = allocator;
    this.onClose = onClose;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public Optional<Batch> next() {
    while (!ended) {
      Optional<byte[]> frame = nextFrame();
      if (frame.isEmpty()) {
        ended = true;
        break;
      }
      byte[] body = Arrays.copyOfRange(frame.get(), 1, frame.get().length);
      if (frame.get()[0] == ResultFrames.KIND_PROFILE) {
        profile = ProfileCodec.decode(body);
      } else {
        return Optional.of(BatchFrames.decode(body, schema, allocator));
      }
    }
    frames.close();
    return Optional.empty();
  }

  private Optional<byte[]> nextFrame() {
    try {
      return frames.next();
    } catch (RuntimeException failure) {
      ended = true;
      frames.close();
      if (failure.getCause() instanceof InterruptedException) {
        Thread.currentThread().interrupt();
        throw new MillraceException(ErrorCode.CANCELLED, "The query was cancelled", failure);
      }
      throw failure;
    }
  }

  @Override
  public QueryProfile profile() {
    return profile;
  }

  @Override
  public void close() {
    ended = true;
    frames.close();
    onClose.accept(this);
  }
}
