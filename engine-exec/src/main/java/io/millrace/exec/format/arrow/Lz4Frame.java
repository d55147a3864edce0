package io.millrace.exec.format.arrow;

import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The frame format of LZ4 (github.com/lz4/lz4, doc/lz4_Frame_format.md) around its block format.
 * Checksums of content are not verified. Not thread-safe.
 */
final class Lz4Frame {
  /** Plain bytes that a byte of a frame stands for at most. */
  static final int RATIO_LIMIT = 256;

  private static final int MAGIC = 0x184D2204;

  /** Version 1, independent blocks. */
  private static final byte FLAGS = 0x60;

  /** Blocks of at most 4 MiB. */
  private static final byte BLOCK_CODE = 0x70;

  private static final int BLOCK_BYTES = 4 << 20;
  private static final int PLAIN_BLOCK = 1 << 31;

  private final Lz4Decompressor decompressor = new Lz4Decompressor();
  private final Lz4Compressor compressor = new Lz4Compressor();

  /**
   * Fills the target with what a frame holds.
   *
   * @throws IllegalArgumentException when the frame is damaged or holds another number of bytes
   */
  void decompress(byte[] frame, byte[] target) {
    try {
      ByteBuffer input = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
      if (input.getInt() != MAGIC) {
        throw damaged();
      }
      byte flags = input.get();
      boolean independent = (flags & 0x20) != 0;
      boolean blockChecksums = (flags & 0x10) != 0;
      input.get();
      input.position(input.position() + ((flags & 0x08) != 0 ? 8 : 0));
      input.position(input.position() + ((flags & 0x01) != 0 ? 4 : 0));
      input.get();
      int written = 0;
      for (int size = input.getInt(); size != 0; size = input.getInt()) {
        int length = size & Integer.MAX_VALUE;
        if (length > input.remaining()) {
          throw damaged();
        }
        if (size < 0) {
          input.get(target, written, length);
          written += length;
        } else {
          written += block(frame, input.position(), length, target, written, independent);
          input.position(input.position() + length);
        }
        input.position(input.position() + (blockChecksums ? 4 : 0));
      }
      if (written != target.length) {
        throw damaged();
      }
    } catch (RuntimeException problem) {
      throw new IllegalArgumentException("an LZ4 frame is damaged", problem);
    }
  }

  /** A block that may copy from those before it is decoded by hand: the library takes none. */
  private int block(
      byte[] frame, int from, int length, byte[] target, int at, boolean independent) {
    if (independent || at == 0) {
      return decompressor.decompress(frame, from, length, target, at, target.length - at);
    }
    int input = from;
    int end = from + length;
    int output = at;
    while (input < end) {
      int token = frame[input++] & 0xFF;
      int literals = token >>> 4;
      if (literals == 15) {
        int more;
        do {
          more = frame[input++] & 0xFF;
          literals += more;
        } while (more == 255);
      }
      System.arraycopy(frame, input, target, output, literals);
      input += literals;
      output += literals;
      if (input >= end) {
        break;
      }
      int distance = frame[input] & 0xFF | (frame[input + 1] & 0xFF) << 8;
      input += 2;
      int matched = (token & 15) + 4;
      if (matched == 19) {
        int more;
        do {
          more = frame[input++] & 0xFF;
          matched += more;
        } while (more == 255);
      }
      if (distance == 0) {
        throw damaged();
      }
      for (int copied = 0; copied < matched; copied++, output++) {
        target[output] = target[output - distance];
      }
    }
    return output - at;
  }

  private static IllegalArgumentException damaged() {
    return new IllegalArgumentException("an LZ4 frame is damaged");
  }

  /** The bytes as one frame. */
  byte[] compress(byte[] plain) {
    ByteArrayOutputStream frame = new ByteArrayOutputStream(plain.length / 2 + 64);
    byte[] descriptor = {FLAGS, BLOCK_CODE};
    writeInt(frame, MAGIC);
    frame.writeBytes(descriptor);
    frame.write(hash(descriptor) >>> 8);
    byte[] block = new byte[compressor.maxCompressedLength(Math.min(plain.length, BLOCK_BYTES))];
    for (int at = 0; at < plain.length; at += BLOCK_BYTES) {
      int length = Math.min(BLOCK_BYTES, plain.length - at);
      int size = compressor.compress(plain, at, length, block, 0, block.length);
      if (size < length) {
        writeInt(frame, size);
        frame.write(block, 0, size);
      } else {
        writeInt(frame, length | PLAIN_BLOCK);
        frame.write(plain, at, length);
      }
    }
    writeInt(frame, 0);
    return frame.toByteArray();
  }

  private static void writeInt(ByteArrayOutputStream target, int value) {
    for (int shift = 0; shift < 32; shift += 8) {
      target.write(value >>> shift);
    }
  }

  /** XXH32 with seed 0 of fewer than 4 bytes. */
  private static int hash(byte[] bytes) {
    int hash = 374761393 + bytes.length;
    for (byte value : bytes) {
      hash = Integer.rotateLeft(hash + (value & 0xFF) * 374761393, 11) * -1640531535;
    }
    hash = (hash ^ hash >>> 15) * -2048144777;
    hash = (hash ^ hash >>> 13) * -1028477379;
    return hash ^ hash >>> 16;
  }
}
