package io.millrace.exec.format.text;

import com.github.luben.zstd.ZstdIOException;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStores;
import io.millrace.exec.format.file.PinnedFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/** Opens a pinned text file. Offsets count plain bytes, after decompression. Calls block. */
public final class TextFile {
  private final PinnedFile file;
  private final ObjectStores stores;

  public TextFile(PinnedFile file, ObjectStores stores) {
    this.file = file;
    this.stores = stores;
  }

  /** As the user's pattern names it. */
  public String path() {
    return file.path();
  }

  public PinnedFile pinned() {
    return file;
  }

  public TextCompression compression() {
    return TextCompression.of(file.uri());
  }

  /**
   * The plain bytes of a range.
   *
   * @param to offset after the last byte; {@link Long#MAX_VALUE} for the end
   * @throws MillraceException SOURCE_CHANGED when the file is no longer what was listed
   */
  public InputStream open(long from, long to) throws IOException {
    ByteSource source = stores.of(file.uri()).open(file.uri());
    try {
      file.requireSame(source);
      if (compression() == TextCompression.NONE) {
        return new ByteSourceStream(source, from, Math.min(to, file.sizeBytes()));
      }
      InputStream plain = compression().plain(new ByteSourceStream(source, 0, file.sizeBytes()));
      plain.skipNBytes(from);
      return plain;
    } catch (IOException | RuntimeException problem) {
      source.close();
      throw problem;
    }
  }

  /** The error for a failed read: INVALID_FILE when the compressed data are damaged. */
  public MillraceException failure(IOException problem) {
    boolean damaged =
        problem instanceof ZipException
            || problem instanceof ZstdIOException
            || problem instanceof EOFException;
    return new MillraceException(
        damaged ? ErrorCode.INVALID_FILE : ErrorCode.IO_FAILED,
        (damaged ? "The compressed file is damaged: '" : "The file cannot be read: '")
            + path()
            + "': "
            + problem.getMessage(),
        problem);
  }

  /** The first bytes, at most {@code count}. */
  public byte[] head(int count) {
    try (InputStream input = open(0, Long.MAX_VALUE)) {
      return input.readNBytes(count);
    } catch (IOException problem) {
      throw failure(problem);
    }
  }

  /** Bytes of the byte order mark that the file starts with; 0 without one. */
  public int markLength() {
    return markLength(head(3));
  }

  /** The same for bytes that are there already. */
  public static int markLength(byte[] head) {
    return head.length >= 3
            && head[0] == (byte) 0xEF
            && head[1] == (byte) 0xBB
            && head[2] == (byte) 0xBF
        ? 3
        : 0;
  }

  /** The number of the line, counted from 1, that the byte at an offset is in. */
  public long lineAt(long offset) {
    try (InputStream input = open(0, offset)) {
      byte[] buffer = new byte[64 << 10];
      long line = 1;
      long left = offset;
      while (left > 0) {
        int count = input.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (count < 0) {
          break;
        }
        for (int index = 0; index < count; index++) {
          line += buffer[index] == '\n' ? 1 : 0;
        }
        left -= count;
      }
      return line;
    } catch (IOException problem) {
      throw failure(problem);
    }
  }
}
