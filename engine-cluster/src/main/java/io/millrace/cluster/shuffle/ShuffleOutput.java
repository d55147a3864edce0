package io.millrace.cluster.shuffle;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.Reservation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The output of one attempt: frames by partition. Frames gather in memory; when they exceed the
 * limit they are written to one file as a run sorted by partition, so that a partition is read in
 * as many sequential pieces as there are runs. What is in memory is reserved from the process's
 * budget; when that is short, or asks for it back, it goes to the file. Written by one thread, then
 * read by many.
 */
final class ShuffleOutput implements AutoCloseable {
  private sealed interface Frame {
    record InMemory(byte[] bytes) implements Frame {}

    record InFile(long offset, int length) implements Frame {}
  }

  private final AttemptId attempt;
  private final Path file;
  private final long memoryLimitBytes;
  private final Reservation reservation;
  private final List<List<Frame>> partitions = new ArrayList<>();
  private final long[] partitionBytes;
  private long bytesInMemory;
  private long bytesInFile;
  private FileChannel channel;
  private boolean closed;

  /**
   * @param reservation for what is in memory; shared with other outputs
   */
  ShuffleOutput(
      AttemptId attempt,
      int partitionCount,
      Path file,
      long memoryLimitBytes,
      Reservation reservation) {
    this.attempt = attempt;
    this.file = file;
    this.memoryLimitBytes = memoryLimitBytes;
    this.reservation = reservation;
    this.partitionBytes = new long[partitionCount];
    for (int partition = 0; partition < partitionCount; partition++) {
      partitions.add(new ArrayList<>());
    }
  }

  AttemptId attempt() {
    return attempt;
  }

  /** Adds a frame, which the output keeps; may write to disk. */
  void append(int partition, byte[] frame) {
    long freed = 0;
    synchronized (this) {
      checkOpen();
      boolean granted = reservation.tryReserve(frame.length);
      partitions.get(partition).add(new Frame.InMemory(frame));
      partitionBytes[partition] += frame.length;
      bytesInMemory += frame.length;
      if (!granted || bytesInMemory > memoryLimitBytes) {
        freed = writeRun() - (granted ? 0 : frame.length);
      }
    }
    reservation.release(freed);
  }

  /** Writes what is in memory to the file; gives the bytes that this frees. */
  long spill() {
    long freed;
    synchronized (this) {
      if (closed || bytesInMemory == 0) {
        return 0;
      }
      freed = writeRun();
    }
    reservation.release(freed);
    return freed;
  }

  /** Ends writing. What lies in a file lies there wholly, what fits the limit stays in memory. */
  void finish() {
    synchronized (this) {
      checkOpen();
      if (channel == null) {
        return;
      }
    }
    spill();
  }

  synchronized List<Long> partitionBytes() {
    List<Long> sizes = new ArrayList<>();
    for (long bytes : partitionBytes) {
      sizes.add(bytes);
    }
    return sizes;
  }

  synchronized long bytesInMemory() {
    return bytesInMemory;
  }

  synchronized long bytesInFile() {
    return bytesInFile;
  }

  /** The frames of a partition in the order in which they were added. */
  FrameSource open(int partition) {
    return new FrameSource() {
      private int nextFrame;
      private volatile boolean stopped;

      @Override
      public Optional<byte[]> next() {
        return stopped ? Optional.empty() : frame(partition, nextFrame++);
      }

      @Override
      public void close() {
        stopped = true;
      }
    };
  }

  private synchronized Optional<byte[]> frame(int partition, int index) {
    checkOpen();
    List<Frame> frames = partitions.get(partition);
    if (index >= frames.size()) {
      return Optional.empty();
    }
    return switch (frames.get(index)) {
      case Frame.InMemory(byte[] bytes) -> Optional.of(bytes);
      case Frame.InFile(long offset, int length) -> Optional.of(read(offset, length));
    };
  }

  private byte[] read(long offset, int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    try {
      while (target.hasRemaining()) {
        if (channel.read(target, offset + target.position()) < 0) {
          throw new IOException("file ends too early");
        }
      }
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.SHUFFLE_LOST, "Cannot read a task's output from disk: " + attempt, failure);
    }
    return target.array();
  }

  /** Gives the bytes written; the caller releases them without the lock. */
  private long writeRun() {
    try {
      if (channel == null) {
        Files.createDirectories(file.getParent());
        channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
      }
      for (List<Frame> frames : partitions) {
        for (int index = 0; index < frames.size(); index++) {
          if (frames.get(index) instanceof Frame.InMemory(byte[] bytes)) {
            frames.set(index, new Frame.InFile(bytesInFile, bytes.length));
            ByteBuffer source = ByteBuffer.wrap(bytes);
            while (source.hasRemaining()) {
              bytesInFile += channel.write(source, bytesInFile);
            }
          }
        }
      }
      long written = bytesInMemory;
      bytesInMemory = 0;
      return written;
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.DISK_EXHAUSTED,
          "Cannot write a task's output to disk; free some space or set spill.directory to a"
              + " folder with more: "
              + file,
          failure);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new MillraceException(
          ErrorCode.SHUFFLE_LOST, "A task's output was dropped before it was read: " + attempt);
    }
  }

  /** Deletes the file and forgets the frames; readers fail from then on. */
  @Override
  public void close() {
    long freed;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      partitions.clear();
      freed = bytesInMemory;
      bytesInMemory = 0;
      if (channel != null) {
        try {
          channel.close();
          Files.deleteIfExists(file);
        } catch (IOException leftToStore) {
          // The store removes its whole directory when it closes and on the next start.
        }
      }
    }
    reservation.release(freed);
  }
}
