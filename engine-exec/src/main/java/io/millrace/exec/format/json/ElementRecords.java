package io.millrace.exec.format.json;

import java.io.IOException;

/**
 * Objects that line ends do not tell apart: the elements of one array, or objects one after the
 * other. Only braces, brackets and strings are looked at; parsing finds what is wrong inside.
 */
final class ElementRecords implements JsonRecords {
  private enum Place {
    BEFORE_ARRAY,
    BEFORE_ELEMENT,
    AFTER_ELEMENT,
    AFTER_ARRAY
  }

  private final boolean array;
  private Place place;
  private boolean first = true;
  private byte[] bytes = new byte[0];
  private int limit;
  private int position;
  private int start;
  private int end;
  private long discarded;
  private boolean last;

  /** How far the element at {@code start} was looked at, and what was found. */
  private int scanned;

  private int depth;
  private boolean inString;
  private boolean escaped;

  /**
   * @param array whether the objects are elements of an array
   */
  ElementRecords(boolean array) {
    this.array = array;
    this.place = array ? Place.BEFORE_ARRAY : Place.BEFORE_ELEMENT;
  }

  @Override
  public void accept(byte[] added, int length, boolean isLast) {
    last = isLast;
    int rest = limit - position;
    byte[] joined = new byte[Math.addExact(rest, length)];
    System.arraycopy(bytes, position, joined, 0, rest);
    System.arraycopy(added, 0, joined, rest, length);
    discarded += position;
    scanned -= position;
    position = 0;
    bytes = joined;
    limit = joined.length;
  }

  @Override
  public boolean next() throws IOException {
    if (depth == 0 && !between()) {
      return false;
    }
    while (scanned < limit) {
      look(bytes[scanned++]);
      if (depth == 0) {
        start = position;
        end = scanned;
        position = scanned;
        place = Place.AFTER_ELEMENT;
        return true;
      }
    }
    if (last) {
      throw new IOException("the file ends within an object");
    }
    return false;
  }

  private void look(byte current) {
    if (escaped) {
      escaped = false;
    } else if (inString) {
      escaped = current == '\\';
      inString = current != '"';
    } else {
      switch (current) {
        case '"' -> inString = true;
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
    }
  }

  /** Passes over what stands between elements; true at the start of one. */
  private boolean between() throws IOException {
    while (position < limit) {
      byte current = bytes[position];
      start = position;
      if (" \t\r\n".indexOf(current) >= 0) {
        position++;
      } else if (place == Place.BEFORE_ARRAY && current == '[') {
        place = Place.BEFORE_ELEMENT;
        position++;
      } else if (place == Place.AFTER_ELEMENT && array && current == ',') {
        place = Place.BEFORE_ELEMENT;
        first = false;
        position++;
      } else if (array && current == ']' && closesHere()) {
        place = Place.AFTER_ARRAY;
        position++;
      } else if (current == '{' && opensHere()) {
        scanned = position;
        return true;
      } else {
        throw new IOException("something stands where an object should");
      }
    }
    if (last && array && place != Place.AFTER_ARRAY) {
      throw new IOException("the file ends within its array");
    }
    return false;
  }

  private boolean closesHere() {
    return place == Place.AFTER_ELEMENT || place == Place.BEFORE_ELEMENT && first;
  }

  private boolean opensHere() {
    return place == Place.BEFORE_ELEMENT || place == Place.AFTER_ELEMENT && !array;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int start() {
    return start;
  }

  @Override
  public int end() {
    return end;
  }

  @Override
  public long offset() {
    return discarded + start;
  }
}
