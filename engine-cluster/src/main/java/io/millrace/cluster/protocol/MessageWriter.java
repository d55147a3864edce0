package io.millrace.cluster.protocol;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Writes the members of a message one after the other; {@link MessageReader} reads them back. */
public final class MessageWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
  private final DataOutputStream out = new DataOutputStream(bytes);

  public MessageWriter putByte(int value) {
    return write(() -> out.writeByte(value));
  }

  public MessageWriter putInt(int value) {
    return write(() -> out.writeInt(value));
  }

  public MessageWriter putLong(long value) {
    return write(() -> out.writeLong(value));
  }

  public MessageWriter putBoolean(boolean value) {
    return write(() -> out.writeBoolean(value));
  }

  public MessageWriter putString(String value) {
    return putBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  public MessageWriter putBytes(byte[] value) {
    return write(
        () -> {
          out.writeInt(value.length);
          out.write(value);
        });
  }

  /** A count followed by the elements. */
  public <T> MessageWriter putList(Collection<T> values, BiConsumer<MessageWriter, T> element) {
    putInt(values.size());
    for (T value : values) {
      element.accept(this, value);
    }
    return this;
  }

  public <T> MessageWriter putOptional(Optional<T> value, BiConsumer<MessageWriter, T> element) {
    putBoolean(value.isPresent());
    value.ifPresent(present -> element.accept(this, present));
    return this;
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }

  private interface Write {
    void run() throws IOException;
  }

  private MessageWriter write(Write step) {
    try {
      step.run();
      return this;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
