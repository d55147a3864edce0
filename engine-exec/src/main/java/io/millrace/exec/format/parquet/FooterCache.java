package io.millrace.exec.format.parquet;

import io.millrace.core.spi.ByteSource;
import io.millrace.exec.format.file.PinnedFile;
import io.millrace.exec.format.parquet.read.ParquetFooter;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Footers of files that were opened lately: each split of a scan needs one again. An entry holds
 * for one state of its file, by size and etag (or time). Safe for use by several threads.
 */
final class FooterCache {
  /** Entries leave, oldest use first, when they exceed this many row groups times columns. */
  private static final long CHUNK_LIMIT = 200_000;

  private final Map<PinnedFile, ParquetFooter> footers = new LinkedHashMap<>(16, 0.75f, true);
  private long chunkCount;

  /**
   * The footer of a file, read when it is not known.
   *
   * @param bytes the open file
   */
  ParquetFooter of(PinnedFile file, ByteSource bytes) {
    synchronized (this) {
      ParquetFooter known = footers.get(file);
      if (known != null) {
        return known;
      }
    }
    ParquetFooter footer = ParquetFooter.read(bytes, file.path());
    synchronized (this) {
      if (footers.put(file, footer) == null) {
        chunkCount += footer.chunkCount();
      }
      Iterator<ParquetFooter> oldest = footers.values().iterator();
      while (chunkCount > CHUNK_LIMIT && oldest.hasNext()) {
        chunkCount -= oldest.next().chunkCount();
        oldest.remove();
      }
      return footer;
    }
  }
}
