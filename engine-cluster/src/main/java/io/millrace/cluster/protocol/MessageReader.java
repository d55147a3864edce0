package io.millrace.cluster.protocol;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads what {@link MessageWriter} wrote. Lengths and counts are checked against the bytes that are
 * there before anything is allocated, so that a damaged message costs no memory.
 */
public final class MessageReader {
  private final ByteBuffer bytes;

  public MessageReader(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  public int takeByte() {
    return checked(bytes::get);
  }

  public int takeInt() {
    return checked(bytes::getInt);
  }

  public long takeLong() {
    return checked(bytes::getLong);
  }

  public boolean takeBoolean() {
    return takeByte() != 0;
  }

  public String takeString() {
    return new String(takeBytes(), StandardCharsets.UTF_8);
  }

  public byte[] takeBytes() {
    byte[] value = new byte[count()];
    bytes.get(value);
    return value;
  }

  public <T> List<T> takeList(Function<MessageReader, T> element) {
    int count = count();
    List<T> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(element.apply(this));
    }
    return List.copyOf(values);
  }

  public <T> Optional<T> takeOptional(Function<MessageReader, T> element) {
    return takeBoolean() ? Optional.of(element.apply(this)) : Optional.empty();
  }

  /** Fails when bytes are left, which means that writer and reader disagree. */
  public void end() {
    if (bytes.hasRemaining()) {
      throw new IllegalArgumentException("message has bytes left: " + bytes.remaining());
    }
  }

  /** A length or count: every element takes at least one byte. */
  private int count() {
    int count = takeInt();
    if (count < 0 || count > bytes.remaining()) {
      throw new IllegalArgumentException("message is cut off: " + count + " elements announced");
    }
    return count;
  }

  private interface Take<T> {
    T run();
  }

  private static <T> T checked(Take<T> take) {
    try {
      return take.run();
    } catch (BufferUnderflowException cutOff) {
      throw new IllegalArgumentException("message is cut off", cutOff);
    }
  }
}
