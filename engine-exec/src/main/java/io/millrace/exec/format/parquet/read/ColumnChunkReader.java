package io.millrace.exec.format.parquet.read;

import io.millrace.exec.format.parquet.encoding.HybridDecoder;
import io.millrace.exec.format.parquet.encoding.LittleEndian;
import io.millrace.exec.format.parquet.encoding.PageBuffers;
import io.millrace.exec.format.parquet.encoding.PageDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
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

  /** Entries whose levels are decoded at once where rows have several. */
  private static final int LEVEL_WINDOW = 1024;

  private final LeafColumn leaf;
  private final ColumnMetaData metadata;
  private final byte[] chunk;
  private final int end;
  private final PageBuffers buffers;
  private final BufferAllocator allocator;
  private int position;
  private PageDictionary dictionary;
  private PageValues values;

  /** The decompressed page that is read; null when the chunk itself is. */
  private byte[] pageBuffer;

  private HybridDecoder definitionDecoder;
  private HybridDecoder repetitionDecoder;

  /** Entries of the page whose levels are still to be decoded. */
  private int pageLeft;

  /** Decoded levels, of which those from {@code next} to {@code filled} are still to be used. */
  private int[] definitions = new int[0];

  private int[] repetitions = new int[0];
  private int next;
  private int filled;

  /** Rows to pass over before the next ones are read. */
  private int skippedRows;

  /**
   * @param bytes all bytes of the chunk, dictionary page first
   * @param buffers gives room for decompressed pages
   */
  ColumnChunkReader(
      LeafColumn leaf, RowGroupBytes.Chunk bytes, PageBuffers buffers, BufferAllocator allocator) {
    this.leaf = leaf;
    this.metadata = bytes.metadata();
    this.chunk = bytes.bytes();
    this.position = bytes.from();
    this.end = bytes.to();
    this.buffers = buffers;
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
    return read(rows, null, rows);
  }

  /**
   * The entries of some of the next rows, passing over the others.
   *
   * @param selected ascending rows below {@code rows}, of which the first {@code count} count; null
   *     for all. Only for leaves outside of lists
   */
  LeafEntries read(int rows, int[] selected, int count) throws IOException {
    if (skippedRows > 0) {
      int skipped = skippedRows;
      skippedRows = 0;
      boolean there = leaf.maximumRepetition() == 0 ? skipFlat(skipped) : skipLists(skipped);
      if (!there) {
        throw new IOException("its pages hold fewer rows than the footer says");
      }
    }
    LeafEntries entries = new LeafEntries(leaf, new DenseValues(leaf.conversion(), allocator));
    try {
      boolean there;
      if (selected != null) {
        there = readSelected(rows, selected, count, entries);
      } else if (leaf.maximumRepetition() == 0) {
        there = readFlat(rows, entries) == rows;
      } else {
        there = readLists(rows, entries) == rows;
      }
      if (!there) {
        throw new IOException("its pages hold fewer rows than the footer says");
      }
      return entries;
    } catch (IOException | RuntimeException problem) {
      entries.close();
      throw problem;
    }
  }

  /** Reads runs of neighbouring rows and passes over what is between them. */
  private boolean readSelected(int rows, int[] selected, int count, LeafEntries entries)
      throws IOException {
    int at = 0;
    int index = 0;
    while (index < count) {
      int first = selected[index];
      int last = first;
      while (++index < count && selected[index] == last + 1) {
        last++;
      }
      int run = last - first + 1;
      if (first > at && !skipFlat(first - at) || readFlat(run, entries) < run) {
        return false;
      }
      at = last + 1;
    }
    skippedRows = rows - at;
    return true;
  }

  /** Passes over rows; whole pages of them are not even decompressed. */
  void skip(int rows) {
    skippedRows += rows;
  }

  private boolean skipFlat(int rows) throws IOException {
    int left = rows;
    while (left > 0) {
      int buffered = Math.min(left, filled - next);
      if (buffered > 0) {
        pass(next + buffered);
        left -= buffered;
        continue;
      }
      if (pageLeft == 0) {
        int passed = skipPage(left);
        left -= passed;
        if (passed > 0) {
          continue;
        }
      }
      int defined = definedRun(left);
      if (defined > 0) {
        values.skip(defined);
        left -= defined;
        continue;
      }
      if (!fill(left)) {
        return false;
      }
    }
    return true;
  }

  private boolean skipLists(int rows) throws IOException {
    int started = 0;
    while (filled > next || fill(LEVEL_WINDOW)) {
      int to = next;
      while (to < filled && (repetitions[to] != 0 || started < rows)) {
        started += repetitions[to] == 0 ? 1 : 0;
        to++;
      }
      boolean ended = to < filled;
      pass(to);
      if (ended) {
        break;
      }
    }
    return started == rows;
  }

  /** Passes over entries whose levels are decoded. */
  private void pass(int to) {
    int stored = stored(to);
    next = to;
    if (stored > 0) {
      values.skip(stored);
    }
  }

  /** Entries that have a value, from the next one on. */
  private int stored(int to) {
    if (leaf.maximumDefinition() == 0) {
      return to - next;
    }
    int stored = 0;
    for (int entry = next; entry < to; entry++) {
      stored += definitions[entry] == leaf.maximumDefinition() ? 1 : 0;
    }
    return stored;
  }

  /** Each entry is a row. */
  private int readFlat(int rows, LeafEntries entries) throws IOException {
    int started = 0;
    while (started < rows) {
      if (filled == next) {
        int defined = definedRun(rows - started);
        if (defined > 0) {
          entries.addDefined(defined);
          values.read(defined, entries.values());
          started += defined;
          continue;
        }
        if (!fill(rows - started)) {
          break;
        }
      }
      int taken = Math.min(rows - started, filled - next);
      take(entries, next + taken);
      started += taken;
    }
    return started;
  }

  /** Passes over levels that say, in one run, that values are there; gives how many. */
  private int definedRun(int most) throws IOException {
    while (pageLeft == 0) {
      if (!nextPage()) {
        return 0;
      }
    }
    int wanted = Math.min(most, pageLeft);
    int defined =
        leaf.maximumDefinition() == 0
            ? wanted
            : definitionDecoder.skipRunOf(leaf.maximumDefinition(), wanted);
    pageLeft -= defined;
    return defined;
  }

  /** A row ends where the next one, or the chunk, begins: repetition level 0. */
  private int readLists(int rows, LeafEntries entries) throws IOException {
    int started = 0;
    while (filled > next || fill(LEVEL_WINDOW)) {
      int to = next;
      while (to < filled && (repetitions[to] != 0 || started < rows)) {
        started += repetitions[to] == 0 ? 1 : 0;
        to++;
      }
      if (started == 0) {
        throw new IOException("a row that starts in the middle");
      }
      boolean ended = to < filled;
      take(entries, to);
      if (ended) {
        break;
      }
    }
    return started;
  }

  /** Decodes the levels of up to {@code wanted} further entries; false at the chunk's end. */
  private boolean fill(int wanted) throws IOException {
    while (pageLeft == 0) {
      if (!nextPage()) {
        return false;
      }
    }
    int count = Math.min(wanted, pageLeft);
    next = 0;
    filled = count;
    pageLeft -= count;
    repetitions = levels(repetitionDecoder, repetitions, count, leaf.maximumRepetition());
    definitions = levels(definitionDecoder, definitions, count, leaf.maximumDefinition());
    return true;
  }

  private static int[] levels(HybridDecoder decoder, int[] reused, int count, int maximum)
      throws IOException {
    if (maximum == 0) {
      return reused;
    }
    int[] levels = reused.length < count ? new int[count] : reused;
    decoder.read(levels, 0, count);
    int largest = 0;
    for (int index = 0; index < count; index++) {
      largest = Math.max(largest, levels[index]);
    }
    if (largest > maximum) {
      throw new IOException("a level of " + largest);
    }
    return levels;
  }

  private void take(LeafEntries entries, int to) {
    int stored = stored(to);
    entries.add(definitions, repetitions, next, to - next);
    next = to;
    if (stored > 0) {
      values.read(stored, entries.values());
    }
  }

  /** Decodes the next data page; false when there is none. */
  private boolean nextPage() throws IOException {
    while (position < end) {
      Page page = page();
      position = page.end();
      if (page.header.type == PageType.DICTIONARY_PAGE) {
        readDictionary(page.header, page.data);
      } else if (page.header.type == PageType.DATA_PAGE) {
        readPage(page.header.data_page_header, page.header, page.data);
        return true;
      } else if (page.header.type == PageType.DATA_PAGE_V2) {
        readPage(page.header.data_page_header_v2, page.header, page.data);
        return true;
      }
    }
    return false;
  }

  /** Passes over the next data page if it has at most so many entries; gives how many it had. */
  private int skipPage(int most) throws IOException {
    while (position < end) {
      Page page = page();
      if (page.header.type == PageType.DICTIONARY_PAGE) {
        position = page.end();
        readDictionary(page.header, page.data);
        continue;
      }
      int count =
          page.header.type == PageType.DATA_PAGE
              ? page.header.data_page_header.num_values
              : page.header.type == PageType.DATA_PAGE_V2
                  ? page.header.data_page_header_v2.num_values
                  : 0;
      if (count <= 0 || count > most) {
        return 0;
      }
      position = page.end();
      return count;
    }
    return 0;
  }

  /** A page's header and where its data start. */
  private record Page(PageHeader header, int data) {
    int end() {
      return data + header.compressed_page_size;
    }
  }

  private Page page() throws IOException {
    ByteArrayInputStream input = new ByteArrayInputStream(chunk, position, end - position);
    PageHeader header = Util.readPageHeader(input);
    int data = end - input.available();
    int size = header.compressed_page_size;
    if (size < 0
        || size > end - data
        || header.uncompressed_page_size < 0
        || header.uncompressed_page_size > PAGE_LIMIT_BYTES) {
      throw new IOException("a page that ends outside of its column chunk");
    }
    return new Page(header, data);
  }

  /** Bytes of a page; they lie in an array that may hold other things too. */
  private record PageBytes(byte[] bytes, int from, int to) {}

  /** The bytes before compression; gives back those of the page before. */
  private PageBytes decompressed(int from, int count, int size) throws IOException {
    buffers.give(pageBuffer);
    pageBuffer = null;
    if (metadata.codec == CompressionCodec.UNCOMPRESSED) {
      return stored(from, count, size);
    }
    byte[] page = PageDecompressor.decompress(metadata.codec, chunk, from, count, size, buffers);
    pageBuffer = page;
    return new PageBytes(page, 0, size);
  }

  private PageBytes stored(int from, int count, int size) throws IOException {
    if (count != size) {
      throw new IOException("a page of another size than its header says");
    }
    return new PageBytes(chunk, from, from + count);
  }

  private void readDictionary(PageHeader header, int data) throws IOException {
    PageBytes page = decompressed(data, header.compressed_page_size, header.uncompressed_page_size);
    int count = header.dictionary_page_header.num_values;
    // Not even a bit-packed value takes less; an empty one of fixed width cannot be.
    if (count < 0 || count > 8L * (page.to - page.from)) {
      throw new IOException("a dictionary of " + count + " values");
    }
    try (DenseValues entries = new DenseValues(leaf.conversion(), allocator)) {
      PageValues.of(Encoding.PLAIN, leaf, page.bytes, page.from, page.to, null)
          .read(count, entries);
      if (dictionary != null) {
        throw new IOException("two dictionaries in one column chunk");
      }
      dictionary = PageDictionary.of(entries.finish(null, count));
    }
  }

  private void readPage(DataPageHeader page, PageHeader header, int data) throws IOException {
    PageBytes all = decompressed(data, header.compressed_page_size, header.uncompressed_page_size);
    byte[] bytes = all.bytes;
    begin(page.num_values);
    int at = all.from;
    if (leaf.maximumRepetition() > 0) {
      int length = LittleEndian.int32(bytes, at);
      repetitionDecoder = decoder(bytes, at + 4, all.to, length, leaf.maximumRepetition());
      at += 4 + length;
    }
    if (leaf.maximumDefinition() > 0) {
      int length = LittleEndian.int32(bytes, at);
      definitionDecoder = decoder(bytes, at + 4, all.to, length, leaf.maximumDefinition());
      at += 4 + length;
    }
    values = PageValues.of(page.encoding, leaf, bytes, at, all.to, dictionary);
  }

  private void readPage(DataPageHeaderV2 page, PageHeader header, int data) throws IOException {
    begin(page.num_values);
    int repetitionBytes = page.repetition_levels_byte_length;
    int definitionBytes = page.definition_levels_byte_length;
    long levelBytes = (long) repetitionBytes + definitionBytes;
    if (repetitionBytes < 0
        || definitionBytes < 0
        || levelBytes > Math.min(header.compressed_page_size, header.uncompressed_page_size)) {
      throw new IOException("levels that end outside of their page");
    }
    int from = data + (int) levelBytes;
    if (leaf.maximumRepetition() > 0) {
      repetitionDecoder = decoder(chunk, data, end, repetitionBytes, leaf.maximumRepetition());
    }
    if (leaf.maximumDefinition() > 0) {
      definitionDecoder =
          decoder(chunk, data + repetitionBytes, end, definitionBytes, leaf.maximumDefinition());
    }
    int compressed = header.compressed_page_size - (int) levelBytes;
    int size = header.uncompressed_page_size - (int) levelBytes;
    boolean plain = page.isSetIs_compressed() && !page.is_compressed;
    PageBytes bytes = plain ? stored(from, compressed, size) : decompressed(from, compressed, size);
    values = PageValues.of(page.encoding, leaf, bytes.bytes, bytes.from, bytes.to, dictionary);
  }

  private void begin(int count) throws IOException {
    if (count < 0 || count > metadata.num_values) {
      throw new IOException("a page of " + count + " values");
    }
    pageLeft = count;
  }

  private static HybridDecoder decoder(byte[] bytes, int from, int end, int length, int maximum)
      throws IOException {
    if (length < 0 || from + (long) length > end) {
      throw new IOException("levels that end outside of their page");
    }
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(maximum);
    return new HybridDecoder(bytes, from, from + length, width);
  }

  /** Bytes of the arrays that it holds. */
  long heldBytes() {
    return pageBuffer == null ? 0 : pageBuffer.length;
  }

  @Override
  public void close() {
    buffers.give(pageBuffer);
    pageBuffer = null;
    if (dictionary != null) {
      dictionary.close();
      dictionary = null;
    }
  }
}
