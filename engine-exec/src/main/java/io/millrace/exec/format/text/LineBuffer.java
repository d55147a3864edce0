package io.millrace.exec.format.text;

/** Gives line after line of bytes that come in chunks; a line may span several of them. */
public final class LineBuffer implements AutoCloseable {
  private byte[] bytes = new byte[0];
  private int position;
  private int limit;
  private int start;
  private int end;

  /** Where to look for a line feed: what is before it was looked at. */
  private int searched;

  private long discarded;
  private boolean last;

  /** Adds bytes, owned by this from now on. */
  public void accept(byte[] added, int length, boolean isLast) {
    last = isLast;
    int rest = limit - position;
    discarded += position;
    searched -= position;
    if (rest == 0) {
      bytes = added;
      limit = length;
    } else {
      byte[] joined = new byte[Math.addExact(rest, length)];
      System.arraycopy(bytes, position, joined, 0, rest);
      System.arraycopy(added, 0, joined, rest, length);
      bytes = joined;
      limit = joined.length;
    }
    position = 0;
  }

  /** Moves to the next whole line; false when more bytes are needed, or at the end. */
  public boolean next() {
    int at = searched;
    while (at < limit && bytes[at] != '\n') {
      at++;
    }
    searched = at;
    if (at == limit && (!last || position == limit)) {
      return false;
    }
    start = position;
    end = at;
    position = Math.min(at + 1, limit);
    searched = position;
    return true;
  }

  public byte[] bytes() {
    return bytes;
  }

  /** First byte of the line. */
  public int start() {
    return start;
  }

  /** After its last byte, without the line feed. */
  public int end() {
    return end;
  }

  /** Bytes from the first one that was ever added to the line. */
  public long offset() {
    return discarded + start;
  }

  @Override
  public void close() {
    bytes = new byte[0];
    position = 0;
    limit = 0;
    searched = 0;
  }
}
