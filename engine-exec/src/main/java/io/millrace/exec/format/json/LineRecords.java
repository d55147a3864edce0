package io.millrace.exec.format.json;

import io.millrace.exec.format.text.LineBuffer;

/** Each line that is not blank is a record. */
final class LineRecords implements JsonRecords {
  private final LineBuffer lines = new LineBuffer();

  @Override
  public void accept(byte[] bytes, int length, boolean last) {
    lines.accept(bytes, length, last);
  }

  @Override
  public boolean next() {
    while (lines.next()) {
      if (!JsonLines.isBlank(lines.bytes(), lines.start(), lines.end())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public byte[] bytes() {
    return lines.bytes();
  }

  @Override
  public int start() {
    return lines.start();
  }

  @Override
  public int end() {
    return lines.end();
  }

  @Override
  public long offset() {
    return lines.offset();
  }
}
