package io.millrace.exec.format.parquet.encoding;

import com.github.luben.zstd.Zstd;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.format.CompressionCodec;
import org.brotli.dec.BrotliInputStream;
import org.xerial.snappy.Snappy;

/** Pages' bytes as they were before compression. */
public final class PageDecompressor {
  /** DEFLATE cannot do better; a damaged header must not allocate by what it claims. */
  private static final int GZIP_RATIO_LIMIT = 1100;

  /** A byte of a block's length stands for at most 255 bytes. */
  private static final int LZ4_RATIO_LIMIT = 256;

  private PageDecompressor() {}

  /**
   * @param size bytes after decompression, as the page header says; checked against the result
   * @param buffers gives the result
   * @return an array of at least this size
   * @throws IOException when the data are damaged
   * @throws MillraceException UNSUPPORTED_FORMAT for LZO
   */
  public static byte[] decompress(
      CompressionCodec codec, byte[] data, int from, int count, int size, PageBuffers buffers)
      throws IOException {
    if (size == 0) {
      return new byte[0];
    }
    requirePlausible(codec, data, from, count, size);
    byte[] result = buffers.take(size);
    long written =
        switch (codec) {
          case UNCOMPRESSED -> {
            System.arraycopy(data, from, result, 0, Math.min(count, size));
            yield count;
          }
          case SNAPPY -> Snappy.uncompress(data, from, count, result, 0);
          case ZSTD -> Zstd.decompressByteArray(result, 0, size, data, from, count);
          case GZIP -> gunzip(data, from, count, result, size);
          case LZ4_RAW -> Lz4Pages.raw(data, from, count, result, 0, size);
          case LZ4 -> Lz4Pages.framed(data, from, count, result, size);
          case BROTLI -> brotli(data, from, count, result, size);
          case LZO ->
              throw new MillraceException(
                  ErrorCode.UNSUPPORTED_FORMAT,
                  "This compression is not read; write the file with snappy, zstd or gzip: "
                      + codec);
        };
    if (written != size) {
      throw new IOException("a page of another size than its header says");
    }
    return result;
  }

  /** Checks the claimed size against what the compressed data say, before memory is taken. */
  private static void requirePlausible(
      CompressionCodec codec, byte[] data, int from, int count, int size) throws IOException {
    boolean plausible =
        switch (codec) {
          case UNCOMPRESSED -> count == size;
          case SNAPPY -> Snappy.uncompressedLength(data, from, count) == size;
          case ZSTD -> {
            // Zero and less: the frame does not say.
            long said = Zstd.getFrameContentSize(data, from, count);
            yield said <= 0 || said == size;
          }
          case GZIP -> size <= (long) count * GZIP_RATIO_LIMIT;
          case LZ4, LZ4_RAW -> size <= (long) count * LZ4_RATIO_LIMIT;
          case LZO, BROTLI -> true;
        };
    if (!plausible) {
      throw new IOException("a page of another size than its header says");
    }
  }

  private static long brotli(byte[] data, int from, int count, byte[] result, int size)
      throws IOException {
    try (InputStream input = new BrotliInputStream(new ByteArrayInputStream(data, from, count))) {
      int read = input.readNBytes(result, 0, size);
      return input.read() < 0 ? read : size + 1L;
    }
  }

  private static long gunzip(byte[] data, int from, int count, byte[] result, int size)
      throws IOException {
    try (InputStream input =
        new GZIPInputStream(
            new ByteArrayInputStream(Arrays.copyOfRange(data, from, from + count)))) {
      int read = input.readNBytes(result, 0, size);
      return input.read() < 0 ? read : size + 1L;
    }
  }
}
