package io.millrace.exec.format.arrow;

import org.apache.arrow.compression.ZstdCompressionCodec;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.compression.AbstractCompressionCodec;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;

/** The compressions of Arrow IPC; LZ4 by the compressor that Parquet's pages use too. */
final class ArrowCodecs implements CompressionCodec.Factory {

  @Override
  public CompressionCodec createCodec(CodecType type) {
    return switch (type) {
      case NO_COMPRESSION -> NoCompressionCodec.INSTANCE;
      case LZ4_FRAME -> new Lz4Codec();
      case ZSTD -> new ZstdCompressionCodec();
    };
  }

  @Override
  public CompressionCodec createCodec(CodecType type, int level) {
    return type == CodecType.ZSTD ? new ZstdCompressionCodec(level) : createCodec(type);
  }

  /** LZ4 frames. */
  private static final class Lz4Codec extends AbstractCompressionCodec {
    private final Lz4Frame frame = new Lz4Frame();

    @Override
    protected ArrowBuf doCompress(BufferAllocator allocator, ArrowBuf plain) {
      byte[] bytes = new byte[(int) plain.writerIndex()];
      plain.getBytes(0, bytes);
      return buffer(allocator, frame.compress(bytes));
    }

    private static ArrowBuf buffer(BufferAllocator allocator, byte[] compressed) {
      ArrowBuf result =
          allocator.buffer(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH + (long) compressed.length);
      result.setBytes(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH, compressed);
      result.writerIndex(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH + (long) compressed.length);
      return result;
    }

    @Override
    protected ArrowBuf doDecompress(BufferAllocator allocator, ArrowBuf compressed) {
      int length = (int) (compressed.writerIndex() - CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH);
      byte[] bytes = new byte[length];
      compressed.getBytes(CompressionUtil.SIZE_OF_UNCOMPRESSED_LENGTH, bytes);
      byte[] plain = new byte[Math.toIntExact(readUncompressedLength(compressed))];
      frame.decompress(bytes, plain);
      ArrowBuf result = allocator.buffer(plain.length);
      result.setBytes(0, plain);
      result.writerIndex(plain.length);
      return result;
    }

    @Override
    public CodecType getCodecType() {
      return CodecType.LZ4_FRAME;
    }
  }
}
