package io.millrace.exec.format.parquet.read;

import io.millrace.core.batch.FlatVector;
import io.millrace.exec.format.parquet.encoding.HybridDecoder;
import io.millrace.exec.format.parquet.encoding.LittleEndian;
import io.millrace.exec.format.parquet.encoding.PageDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;

/** Reads the pages of one column chunk in order, a number of rows at a time. */
final class ColumnChunkReader implements AutoCloseable {
  /** Pages are about 1 MiB; a damaged header must not allocate by what it claims. */
  private static final int PAGE_LIMIT_BYTES = 1 << 30;

  private final LeafColumn leaf;
  private final ColumnMetaData metadata;
  private final byte[] chunk;
  private final BufferAllocator allocator;
  private int position;
  private FlatVector dictionary;
  private PageValues values;
  private int[] definitions;
  private int[] repetitions;
  private int pageCount;
  private int pageNext;

  /**
   * @param chunk all bytes of the chunk, dictionary page first
   */
  ColumnChunkReader(
      LeafColumn leaf, ColumnMetaData metadata, byte[] chunk, BufferAllocator allocator) {
    this.leaf = leaf;
    this.metadata = metadata;
    this.chunk = chunk;
    this.allocator = allocator;
  }

  /** Where a chunk starts in its file: some writers leave the dictionary's place out. */
  static long start(ColumnMetaData metadata) {
    return metadata.isSetDictionary_page_offset() && metadata.dictionary_page_offset > 0
        ? Math.min(metadata.dictionary_page_offset, metadata.data_page_offset)
        : metadata.data_page_offset;
  }

  /**
   * The entries of the next rows; the caller closes them before this reader.
   *
   * @throws IOException or RuntimeException when the pages are damaged
   */
  LeafEntries read(int rows) throws IOException {
    LeafEntries entries = new LeafEntries(leaf, new DenseValues(leaf.conversion(), allocator));
    try {
      int started = 0;
      while (true) {
        if (pageNext == pageCount) {
          if (started == rows && leaf.maximumRepetition() == 0) {
            return entries;
          }
          if (!nextPage()) {
            break;
          }
        }
        int from = pageNext;
        while (pageNext < pageCount) {
          if (repetitions == null) {
            int taken = Math.min(rows - started, pageCount - pageNext);
            started += taken;
            pageNext += taken;
            break;
          }
          if (repetitions[pageNext] == 0) {
            if (started == rows) {
              break;
            }
            started++;
          }
          pageNext++;
        }
        take(entries, from, pageNext);
        if (started == rows && pageNext < pageCount) {
          return entries;
        }
      }
      if (started < rows) {
        throw new IOException("its pages hold fewer rows than the footer says");
      }
      return entries;
    } catch (IOException | RuntimeException problem) {
      entries.close();
      throw problem;
    }
  }

  private void take(LeafEntries entries, int from, int to) {
    int stored = to - from;
    if (definitions != null) {
      stored = 0;
      for (int entry = from; entry < to; entry++) {
        stored += definitions[entry] == leaf.maximumDefinition() ? 1 : 0;
      }
    }
    entries.add(definitions, repetitions, from, to - from);
    if (stored > 0) {
      values.read(stored, entries.values());
    }
  }

  /** Decodes the next data page; false when there is none. */
  private boolean nextPage() throws IOException {
    while (position < chunk.length) {
      ByteArrayInputStream input =
          new ByteArrayInputStream(chunk, position, chunk.length - position);
      PageHeader header = Util.readPageHeader(input);
      int data = chunk.length - input.available();
      int size = header.compressed_page_size;
      if (size < 0
          || size > chunk.length - data
          || header.uncompressed_page_size < 0
          || header.uncompressed_page_size > PAGE_LIMIT_BYTES) {
        throw new IOException("a page that ends outside of its column chunk");
      }
      position = data + size;
      if (header.type == PageType.DICTIONARY_PAGE) {
        readDictionary(header, data);
      } else if (header.type == PageType.DATA_PAGE) {
        readPage(header.data_page_header, header, data);
        return true;
      } else if (header.type == PageType.DATA_PAGE_V2) {
        readPage(header.data_page_header_v2, header, data);
        return true;
      }
    }
    return false;
  }

  private byte[] decompressed(int from, int count, int size) throws IOException {
    return PageDecompressor.decompress(metadata.codec, chunk, from, count, size);
  }

  private void readDictionary(PageHeader header, int data) throws IOException {
    byte[] page = decompressed(data, header.compressed_page_size, header.uncompressed_page_size);
    int count = header.dictionary_page_header.num_values;
    try (DenseValues entries = new DenseValues(leaf.conversion(), allocator)) {
      PageValues.of(Encoding.PLAIN, leaf, page, 0, count, null).read(count, entries);
      if (dictionary != null) {
        throw new IOException("two dictionaries in one column chunk");
      }
      dictionary = entries.finish(null, count);
    }
  }

  private void readPage(DataPageHeader page, PageHeader header, int data) throws IOException {
    byte[] bytes = decompressed(data, header.compressed_page_size, header.uncompressed_page_size);
    begin(page.num_values);
    int at = 0;
    if (leaf.maximumRepetition() > 0) {
      int length = LittleEndian.int32(bytes, at);
      repetitions = levels(bytes, at + 4, length, leaf.maximumRepetition());
      at += 4 + length;
    }
    if (leaf.maximumDefinition() > 0) {
      int length = LittleEndian.int32(bytes, at);
      definitions = levels(bytes, at + 4, length, leaf.maximumDefinition());
      at += 4 + length;
    }
    values = PageValues.of(page.encoding, leaf, bytes, at, storedCount(), dictionary);
  }

  private void readPage(DataPageHeaderV2 page, PageHeader header, int data) throws IOException {
    begin(page.num_values);
    int repetitionBytes = page.repetition_levels_byte_length;
    int definitionBytes = page.definition_levels_byte_length;
    int levelBytes = repetitionBytes + definitionBytes;
    if (repetitionBytes < 0 || definitionBytes < 0 || levelBytes > header.compressed_page_size) {
      throw new IOException("levels that end outside of their page");
    }
    if (leaf.maximumRepetition() > 0) {
      repetitions = levels(chunk, data, repetitionBytes, leaf.maximumRepetition());
    }
    if (leaf.maximumDefinition() > 0) {
      definitions =
          levels(chunk, data + repetitionBytes, definitionBytes, leaf.maximumDefinition());
    }
    int compressed = header.compressed_page_size - levelBytes;
    int size = header.uncompressed_page_size - levelBytes;
    boolean plain = page.isSetIs_compressed() && !page.is_compressed;
    byte[] bytes =
        plain
            ? java.util.Arrays.copyOfRange(chunk, data + levelBytes, data + levelBytes + compressed)
            : decompressed(data + levelBytes, compressed, size);
    values = PageValues.of(page.encoding, leaf, bytes, 0, storedCount(), dictionary);
  }

  private void begin(int count) throws IOException {
    if (count < 0 || count > metadata.num_values) {
      throw new IOException("a page of " + count + " values");
    }
    pageCount = count;
    pageNext = 0;
    repetitions = null;
    definitions = null;
  }

  private int[] levels(byte[] bytes, int from, int length, int maximum) throws IOException {
    if (length < 0 || from + (long) length > bytes.length) {
      throw new IOException("levels that end outside of their page");
    }
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(maximum);
    int[] levels = new int[pageCount];
    new HybridDecoder(bytes, from, from + length, width).read(levels, 0, pageCount);
    for (int level : levels) {
      if (level > maximum) {
        throw new IOException("a level of " + level);
      }
    }
    return levels;
  }

  private int storedCount() {
    if (definitions == null) {
      return pageCount;
    }
    int stored = 0;
    for (int definition : definitions) {
      stored += definition == leaf.maximumDefinition() ? 1 : 0;
    }
    return stored;
  }

  @Override
  public void close() {
    if (dictionary != null) {
      dictionary.close();
      dictionary = null;
    }
  }
}
