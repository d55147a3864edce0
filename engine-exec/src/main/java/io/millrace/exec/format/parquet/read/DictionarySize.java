package io.millrace.exec.format.parquet.read;

import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;

/**
 * Tells from a footer about how many entries a chunk's dictionary has: the chunk's bytes before
 * compression are the entries' and, for each row, a code as wide as that many entries need.
 */
final class DictionarySize {
  private static final int SEARCH_STEPS = 50;
  private static final double LENGTH_BYTES = 4;
  private static final double LOG_2 = Math.log(2);

  private DictionarySize() {}

  /** Entries; −1 when pages are encoded otherwise or the entries' width is not known. */
  static double of(ColumnMetaData chunk) {
    double entry = entryBytes(chunk);
    if (!isDictionaryOnly(chunk) || entry <= 0 || chunk.num_values <= 0) {
      return -1;
    }
    double most = chunk.num_values;
    double least = 1;
    for (int step = 0; step < SEARCH_STEPS; step++) {
      double middle = (least + most) / 2;
      double bytes = middle * entry + chunk.num_values * Math.log(middle) / LOG_2 / Byte.SIZE;
      if (bytes < chunk.total_uncompressed_size) {
        least = middle;
      } else {
        most = middle;
      }
    }
    return least;
  }

  private static boolean isDictionaryOnly(ColumnMetaData chunk) {
    if (!chunk.isSetEncoding_stats()) {
      return false;
    }
    boolean found = false;
    for (PageEncodingStats stats : chunk.encoding_stats) {
      boolean data =
          stats.page_type == PageType.DATA_PAGE || stats.page_type == PageType.DATA_PAGE_V2;
      boolean coded =
          stats.encoding == Encoding.RLE_DICTIONARY || stats.encoding == Encoding.PLAIN_DICTIONARY;
      if (data && stats.count > 0 && !coded) {
        return false;
      }
      found |= data && coded;
    }
    return found;
  }

  private static double entryBytes(ColumnMetaData chunk) {
    return switch (chunk.type) {
      case INT32, FLOAT -> Integer.BYTES;
      case INT64, DOUBLE -> Long.BYTES;
      case BYTE_ARRAY -> {
        boolean bounded =
            chunk.statistics != null
                && chunk.statistics.isSetMin_value()
                && chunk.statistics.isSetMax_value();
        yield bounded
            ? LENGTH_BYTES
                + (chunk.statistics.getMin_value().length + chunk.statistics.getMax_value().length)
                    / 2.0
            : -1;
      }
      case BOOLEAN, INT96, FIXED_LEN_BYTE_ARRAY -> -1;
    };
  }
}
