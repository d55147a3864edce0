package io.millrace.exec.format.parquet.encoding;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.format.CompressionCodec;
import org.xerial.snappy.Snappy;

/** Compresses pages; {@link PageDecompressor} turns it back. */
public final class PageCompressor {
  private static final int ZSTD_LEVEL = 3;

  private PageCompressor() {}

  /**
   * The first {@code count} bytes, compressed.
   *
   * @param codec uncompressed, snappy, zstd or gzip
   */
  public static byte[] compress(CompressionCodec codec, byte[] data, int count) throws IOException {
    return switch (codec) {
      case UNCOMPRESSED -> Arrays.copyOf(data, count);
      case SNAPPY -> {
        byte[] target = new byte[Snappy.maxCompressedLength(count)];
        yield Arrays.copyOf(target, Snappy.compress(data, 0, count, target, 0));
      }
      case ZSTD -> {
        byte[] target = new byte[Math.toIntExact(Zstd.compressBound(count))];
        long written = Zstd.compressByteArray(target, 0, target.length, data, 0, count, ZSTD_LEVEL);
        if (Zstd.isError(written)) {
          throw new IOException("Compression failed: " + Zstd.getErrorName(written));
        }
        yield Arrays.copyOf(target, (int) written);
      }
      case GZIP -> {
        ByteArrayOutputStream target = new ByteArrayOutputStream(count / 2);
        try (GZIPOutputStream zipped = new GZIPOutputStream(target)) {
          zipped.write(data, 0, count);
        }
        yield target.toByteArray();
      }
      case LZO, BROTLI, LZ4, LZ4_RAW ->
          throw new IllegalArgumentException("This compression is not written: " + codec);
    };
  }
}
