package io.millrace.exec.format.parquet.write;

import io.millrace.core.batch.FlatVector;
import io.millrace.exec.format.parquet.encoding.ByteSink;
import io.millrace.exec.format.parquet.encoding.HybridEncoder;
import io.millrace.exec.format.parquet.encoding.PageCompressor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;

/**
 * Makes the pages of one leaf for one row group: codes of a dictionary as long as that pays, then
 * plain values. Not thread-safe.
 */
final class LeafWriter {
  private static final int PAGE_ENTRIES = 20_000;
  private static final int PAGE_BYTES = 1 << 20;
  private static final int DICTIONARY_BYTES = 1 << 20;

  private final StoredField.Leaf leaf;
  private final CompressionCodec codec;
  private final StoredValue value;
  private final ByteSink pages = new ByteSink();
  private final Set<Encoding> encodings = new TreeSet<>();
  private ChunkStatistics statistics;
  private ValueDictionary dictionary;
  private boolean addsCodes;
  private long entryTotal;
  private long plainTotal;

  /** The page that is being filled. */
  private int[] repetitions = new int[1024];

  private int[] definitions = new int[1024];
  private int entries;
  private int[] codes = new int[1024];
  private int stored;
  private final ByteSink plain = new ByteSink();

  LeafWriter(StoredField.Leaf leaf, CompressionCodec codec) {
    this.leaf = leaf;
    this.codec = codec;
    this.value = new StoredValue(leaf.stored());
    begin();
  }

  private void begin() {
    statistics = new ChunkStatistics(leaf.stored());
    addsCodes = leaf.stored().rule() != StoredLeaf.Rule.BOOLEAN;
    dictionary = addsCodes ? new ValueDictionary() : null;
    encodings.clear();
    pages.clear();
    entryTotal = 0;
    plainTotal = 0;
  }

  /** Bytes that are held for the row group. */
  long heldBytes() {
    return pages.size()
        + plain.size()
        + 4L * stored
        + (dictionary == null ? 0 : dictionary.byteCount());
  }

  /**
   * Adds entries.
   *
   * @param indexes row of each entry's value; −1 where there is none
   */
  void add(FlatVector values, int[] repetition, int[] definition, int[] indexes, int count) {
    for (int entry = 0; entry < count; entry++) {
      // Pages begin with rows, as page indexes want it.
      if (repetition[entry] == 0 && isPageFull()) {
        endPage();
      }
      addLevels(repetition[entry], definition[entry]);
      if (indexes[entry] < 0) {
        statistics.addNull();
      } else {
        value.take(values, indexes[entry]);
        addValue();
      }
    }
  }

  private boolean isPageFull() {
    return entries >= PAGE_ENTRIES || plain.size() >= PAGE_BYTES;
  }

  private void addLevels(int repetition, int definition) {
    if (entries == definitions.length) {
      definitions = Arrays.copyOf(definitions, 2 * entries);
      repetitions = Arrays.copyOf(repetitions, 2 * entries);
    }
    repetitions[entries] = repetition;
    definitions[entries] = definition;
    entries++;
  }

  private void addValue() {
    if (addsCodes) {
      if (stored == codes.length) {
        codes = Arrays.copyOf(codes, 2 * stored);
      }
      codes[stored++] = dictionary.code(value.bytes(), 0, value.length());
      if (dictionary.byteCount() > DICTIONARY_BYTES) {
        giveUpCodes();
      }
      return;
    }
    statistics.see(value.bytes(), 0, value.length());
    addPlain(value.bytes(), 0, value.length());
  }

  private void addPlain(byte[] bytes, int from, int length) {
    if (leaf.stored().width() == 0) {
      if ((stored & 7) == 0) {
        plain.write(0);
      }
      plain.array()[plain.size() - 1] |= (byte) (bytes[from] << (stored & 7));
    } else {
      if (leaf.stored().width() < 0) {
        plain.writeInt32(length);
      }
      plain.write(bytes, from, length);
    }
    stored++;
  }

  /** From here on values are plain; those of the page that is being filled become it too. */
  private void giveUpCodes() {
    int count = stored;
    addsCodes = false;
    stored = 0;
    for (int index = 0; index < count; index++) {
      int code = codes[index];
      addPlain(
          dictionary.array(),
          dictionary.start(code),
          dictionary.end(code) - dictionary.start(code));
    }
    if (pages.size() == 0) {
      seeDictionary();
      dictionary = null;
    }
  }

  private void seeDictionary() {
    for (int code = 0; code < dictionary.count(); code++) {
      int start = dictionary.start(code);
      statistics.see(dictionary.array(), start, dictionary.end(code) - start);
    }
  }

  private void endPage() {
    if (entries == 0) {
      return;
    }
    // The first page tells whether values repeat.
    if (addsCodes && pages.size() == 0 && stored > 16 && dictionary.count() > stored / 2) {
      giveUpCodes();
    }
    ByteSink page = new ByteSink();
    levels(page, repetitions, leaf.repetition());
    levels(page, definitions, leaf.definition());
    Encoding encoding = addsCodes ? Encoding.RLE_DICTIONARY : Encoding.PLAIN;
    if (addsCodes) {
      int width = HybridEncoder.width(Math.max(0, dictionary.count() - 1));
      page.write(width);
      HybridEncoder.write(codes, stored, width, page);
    } else {
      page.write(plain.array(), 0, plain.size());
    }
    PageHeader header = new PageHeader(PageType.DATA_PAGE, page.size(), 0);
    header.setData_page_header(new DataPageHeader(entries, encoding, Encoding.RLE, Encoding.RLE));
    writePage(header, page, pages);
    encodings.add(encoding);
    encodings.add(Encoding.RLE);
    entryTotal += entries;
    entries = 0;
    stored = 0;
    plain.clear();
  }

  private void levels(ByteSink page, int[] levels, int maximum) {
    if (maximum == 0) {
      return;
    }
    int start = page.size();
    page.writeInt32(0);
    HybridEncoder.write(levels, entries, HybridEncoder.width(maximum), page);
    page.putInt32(start, page.size() - start - 4);
  }

  private void writePage(PageHeader header, ByteSink page, ByteSink target) {
    try {
      byte[] compressed = PageCompressor.compress(codec, page.array(), page.size());
      header.setCompressed_page_size(compressed.length);
      int before = target.size();
      Util.writePageHeader(header, target);
      plainTotal += target.size() - before + page.size();
      target.write(compressed, 0, compressed.length);
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  /**
   * Ends the row group's chunk.
   *
   * @param target takes the chunk's bytes
   * @param offset where in the file they start
   */
  ColumnChunk finish(ByteSink target, long offset) {
    endPage();
    int start = target.size();
    boolean coded = dictionary != null && encodings.contains(Encoding.RLE_DICTIONARY);
    long dataOffset = offset;
    if (coded) {
      ByteSink page = new ByteSink();
      for (int code = 0; code < dictionary.count(); code++) {
        int from = dictionary.start(code);
        int length = dictionary.end(code) - from;
        if (leaf.stored().width() < 0) {
          page.writeInt32(length);
        }
        page.write(dictionary.array(), from, length);
      }
      PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, page.size(), 0);
      header.setDictionary_page_header(
          new DictionaryPageHeader(dictionary.count(), Encoding.PLAIN));
      writePage(header, page, target);
      encodings.add(Encoding.PLAIN);
      dataOffset = offset + target.size() - start;
      seeDictionary();
    }
    target.write(pages.array(), 0, pages.size());
    List<Encoding> used = new ArrayList<>(encodings);
    ColumnMetaData metadata =
        new ColumnMetaData(
            leaf.stored().physical(),
            used,
            leaf.path(),
            codec,
            entryTotal,
            plainTotal,
            target.size() - start,
            dataOffset);
    if (coded) {
      metadata.setDictionary_page_offset(offset);
    }
    metadata.setStatistics(statistics.finish());
    ColumnChunk chunk = new ColumnChunk(offset);
    chunk.setMeta_data(metadata);
    begin();
    return chunk;
  }
}
