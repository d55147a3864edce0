package io.millrace.exec.format.csv;

import io.millrace.core.spi.ByteSource;
import io.millrace.exec.format.text.RecordBoundaries;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds record starts where quoted fields may hold line ends: whether a line feed ends a record is
 * known only from the quotes before it, so the file is read from its start. Only quotes are looked
 * at, which is far quicker than reading fields.
 */
final class CsvBoundaries implements RecordBoundaries {
  private static final int BLOCK_BYTES = 1 << 20;

  private final CsvDialect dialect;

  CsvBoundaries(CsvDialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public long[] recordStarts(ByteSource source, long firstRecord, long[] wanted)
      throws IOException {
    if (dialect.quote() < 0) {
      return LINES.recordStarts(source, firstRecord, wanted);
    }
    Walk walk = new Walk(wanted, firstRecord, source.sizeBytes());
    byte[] block = new byte[BLOCK_BYTES];
    for (long at = firstRecord; at < walk.size && walk.next < wanted.length; ) {
      int count = (int) Math.min(block.length, walk.size - at);
      source.readFully(at, ByteBuffer.wrap(block, 0, count));
      walk.block(block, count, at);
      at += count;
    }
    return walk.finish();
  }

  /** The state between blocks. */
  private final class Walk {
    private final long[] starts;
    private final long[] wanted;
    private final long size;
    private int next;
    private boolean inQuotes;
    private boolean skipsOne;
    private boolean inComment;

    /** Inside quotes the last byte was a quote: it closed them, or the next one doubles it. */
    private boolean closing;

    private byte before;

    Walk(long[] wanted, long firstRecord, long size) {
      this.wanted = wanted;
      this.starts = new long[wanted.length];
      this.size = size;
      this.before = '\n';
      while (next < wanted.length && wanted[next] <= firstRecord) {
        starts[next++] = firstRecord;
      }
    }

    void block(byte[] bytes, int count, long offset) {
      int quote = dialect.quote();
      int escape = dialect.escape();
      byte delimiter = dialect.delimiter();
      long boundary = next < wanted.length ? wanted[next] - 1 : Long.MAX_VALUE;
      for (int index = 0; index < count; index++) {
        byte current = bytes[index];
        if (inComment || before == '\n' && !inQuotes && current == dialect.comment()) {
          inComment = current != '\n';
          if (current == '\n' && offset + index >= boundary) {
            boundary = reached(offset + index + 1);
          }
        } else if (skipsOne) {
          skipsOne = false;
        } else if (inQuotes) {
          if (current == escape && escape != quote) {
            skipsOne = true;
          } else if (current == quote) {
            inQuotes = false;
            closing = true;
          }
        } else if (current == quote) {
          inQuotes = closing || before == delimiter || before == '\n';
          closing = false;
        } else {
          closing = false;
          if (current == '\n' && offset + index >= boundary) {
            boundary = reached(offset + index + 1);
          }
        }
        before = current;
      }
    }

    /** A record starts here; gives the next offset to look for a line's end from. */
    private long reached(long start) {
      while (next < wanted.length && wanted[next] <= start) {
        starts[next++] = start;
      }
      return next < wanted.length ? wanted[next] - 1 : Long.MAX_VALUE;
    }

    long[] finish() {
      while (next < starts.length) {
        starts[next++] = size;
      }
      return starts;
    }
  }
}
