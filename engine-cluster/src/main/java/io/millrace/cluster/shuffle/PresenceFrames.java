package io.millrace.cluster.shuffle;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** One empty frame, then a wait until the reader or the process ends. */
public final class PresenceFrames implements FrameSource {
  private final CountDownLatch closed = new CountDownLatch(1);
  private boolean greeted;

  @Override
  public Optional<byte[]> next() {
    if (!greeted) {
      greeted = true;
      return Optional.of(new byte[0]);
    }
    try {
      closed.await();
    } catch (InterruptedException processEnds) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
