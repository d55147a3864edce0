package io.millrace.lance.write;

import io.millrace.lance.jni.FragmentFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The fragments of one task attempt as bytes: each with its length before it. */
final class AttemptFragments {
  private AttemptFragments() {}

  static byte[] encode(List<FragmentFile> fragments) {
    List<byte[]> parts = fragments.stream().map(FragmentFile::encode).toList();
    int total = parts.stream().mapToInt(part -> Integer.BYTES + part.length).sum();
    ByteBuffer buffer = ByteBuffer.allocate(total);
    parts.forEach(part -> buffer.putInt(part.length).put(part));
    return buffer.array();
  }

  static List<FragmentFile> decode(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<FragmentFile> fragments = new ArrayList<>();
    while (buffer.remaining() >= Integer.BYTES) {
      int length = buffer.getInt();
      byte[] part = new byte[Math.clamp(length, 0, buffer.remaining())];
      buffer.get(part);
      fragments.add(FragmentFile.decode(part));
    }
    return fragments;
  }
}
