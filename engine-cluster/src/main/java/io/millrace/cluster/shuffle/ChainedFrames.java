package io.millrace.cluster.shuffle;

import java.util.List;
import java.util.Optional;

/** Several sequences of frames as one; each is opened when the one before has ended. */
final class ChainedFrames implements FrameSource {

  /** Opens one of the sequences. */
  interface Opener {
    FrameSource open();
  }

  private final List<Opener> openers;
  private int opened;
  private FrameSource current;
  private boolean closed;

  ChainedFrames(List<Opener> openers) {
    this.openers = List.copyOf(openers);
  }

  @Override
  public Optional<byte[]> next() {
    while (true) {
      FrameSource source = currentOrNext();
      if (source == null) {
        return Optional.empty();
      }
      Optional<byte[]> frame = source.next();
      if (frame.isPresent()) {
        return frame;
      }
      closeCurrent();
    }
  }

  private synchronized FrameSource currentOrNext() {
    if (closed) {
      return null;
    }
    if (current == null && opened < openers.size()) {
      current = openers.get(opened++).open();
    }
    return current;
  }

  private synchronized void closeCurrent() {
    if (current != null) {
      current.close();
      current = null;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    closeCurrent();
  }
}
