package io.millrace.cluster.shuffle;

import java.util.Optional;

/** A sequence of frames, read by one thread; reading may block. */
public interface FrameSource extends AutoCloseable {

  /**
   * The next frame, or empty at the end.
   *
   * @throws io.millrace.core.error.MillraceException when the frames cannot be read
   */
  Optional<byte[]> next();

  /** Stops reading; may be called from another thread and more than once. */
  @Override
  void close();
}
