package io.millrace.exec.format.text;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/** How a text file is compressed, by its name. */
public enum TextCompression {
  NONE,
  GZIP,
  ZSTD;

  private static final int BUFFER_BYTES = 64 << 10;

  /** By suffix, {@code .gz} or {@code .zst} in any case. */
  public static TextCompression of(String path) {
    String lower = path.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".gz")) {
      return GZIP;
    }
    return lower.endsWith(".zst") ? ZSTD : NONE;
  }

  /** The plain bytes; closing the result closes the input. */
  InputStream plain(InputStream stored) throws IOException {
    return switch (this) {
      case NONE -> stored;
      case GZIP -> new GZIPInputStream(stored, BUFFER_BYTES);
      case ZSTD -> new ZstdInputStream(stored).setContinuous(false);
    };
  }
}
