package io.millrace.exec.format.text;

import io.millrace.core.spi.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Finds where records start in an uncompressed file, so that it can be read in parts. */
public interface RecordBoundaries {

  /**
   * Offsets of record starts; blocks.
   *
   * @param wanted ascending offsets
   * @return for each the start of the first record at or after it, or the size when there is none
   */
  long[] recordStarts(ByteSource source, long firstRecord, long[] wanted) throws IOException;

  /** Records that end at every line feed. */
  RecordBoundaries LINES = RecordBoundaries::lineStarts;

  private static long[] lineStarts(ByteSource source, long firstRecord, long[] wanted)
      throws IOException {
    long size = source.sizeBytes();
    long[] starts = new long[wanted.length];
    for (int index = 0; index < wanted.length; index++) {
      starts[index] =
          wanted[index] <= firstRecord
              ? firstRecord
              : lineFeed(source, wanted[index] - 1, size) + 1;
      starts[index] = Math.min(starts[index], size);
    }
    return starts;
  }

  private static long lineFeed(ByteSource source, long from, long size) throws IOException {
    byte[] buffer = new byte[16 << 10];
    for (long at = from; at < size; at += buffer.length) {
      int count = (int) Math.min(buffer.length, size - at);
      source.readFully(at, ByteBuffer.wrap(buffer, 0, count));
      for (int index = 0; index < count; index++) {
        if (buffer[index] == '\n') {
          return at + index;
        }
      }
    }
    return size;
  }
}
