package io.millrace.exec.format.parquet.read;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.exec.format.parquet.encoding.DeltaDecoder;
import io.millrace.exec.format.parquet.encoding.HybridDecoder;
import io.millrace.exec.format.parquet.encoding.LittleEndian;
import java.util.Arrays;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.Type;

/**
 * The values of one page in order. Damaged data throw IndexOutOfBounds- or
 * IllegalArgumentException.
 */
interface PageValues {

  /** Adds the next {@code count} values. */
  void read(int count, DenseValues target);

  /** Passes over the next {@code count} values. */
  void skip(int count);

  /**
   * @param data holds the decompressed page
   * @param position where its values start
   * @param end where the page ends; what lies behind is of no one
   * @param dictionary the chunk's dictionary; null when it has none
   * @throws MillraceException UNSUPPORTED_FORMAT for an encoding that is not read
   */
  static PageValues of(
      Encoding encoding,
      LeafColumn leaf,
      byte[] data,
      int position,
      int end,
      PageDictionary dictionary) {
    return switch (encoding) {
      case PLAIN -> plain(leaf, data, position, end);
      case PLAIN_DICTIONARY, RLE_DICTIONARY -> codes(data, position, end, dictionary);
      case RLE -> new RunBooleans(data, position, end);
      case DELTA_BINARY_PACKED -> new DeltaIntegers(leaf, data, position, end);
      case DELTA_LENGTH_BYTE_ARRAY -> new DeltaLengthValues(data, position, end);
      case DELTA_BYTE_ARRAY -> new DeltaStringValues(leaf, data, position, end);
      case BYTE_STREAM_SPLIT -> new StreamSplitValues(leaf, data, position, end);
      case BIT_PACKED ->
          throw new MillraceException(
              ErrorCode.UNSUPPORTED_FORMAT,
              "This Parquet encoding is not read; write the file anew: " + encoding);
    };
  }

  private static PageValues plain(LeafColumn leaf, byte[] data, int start, int end) {
    Type physical = leaf.element().type;
    return switch (physical) {
      case BOOLEAN -> new PlainBooleans(data, start, end);
      case BYTE_ARRAY -> new PlainBytes(data, start, end);
      case INT32, INT64, INT96, FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY ->
          new PlainFixed(data, start, end, leaf.conversion().storedWidth());
    };
  }

  private static PageValues codes(byte[] data, int position, int end, PageDictionary dictionary) {
    if (dictionary == null) {
      throw new IllegalArgumentException("dictionary codes without a dictionary");
    }
    // A page whose values are all null may lack even the width.
    HybridDecoder decoder =
        position >= end
            ? new HybridDecoder(data, end, end, 1)
            : new HybridDecoder(data, position + 1, end, data[position] & 0xFF);
    return new Codes(decoder, dictionary);
  }

  /** One bit a value. */
  final class PlainBooleans implements PageValues {
    private final byte[] data;
    private final int start;
    private final int end;
    private int bit;

    PlainBooleans(byte[] data, int start, int end) {
      this.data = data;
      this.start = start;
      this.end = end;
    }

    @Override
    public void read(int count, DenseValues target) {
      if (start + (bit + (long) count + 7 >>> 3) > end) {
        throw new IllegalArgumentException("fewer values than announced");
      }
      for (int index = 0; index < count; index++) {
        target.addBoolean((data[start + (bit >>> 3)] >>> (bit & 7) & 1) != 0);
        bit++;
      }
    }

    @Override
    public void skip(int count) {
      bit += count;
    }
  }

  /** Length and bytes of each value. */
  final class PlainBytes implements PageValues {
    private final byte[] data;
    private final int end;
    private int position;

    PlainBytes(byte[] data, int position, int end) {
      this.data = data;
      this.position = position;
      this.end = end;
    }

    @Override
    public void read(int count, DenseValues target) {
      position = target.addPrefixed(data, position, end, count);
    }

    @Override
    public void skip(int count) {
      for (int index = 0; index < count; index++) {
        int length = position + 4 > end ? -1 : LittleEndian.int32(data, position);
        if (length < 0 || length > end - position - 4) {
          throw new IllegalArgumentException("a value that ends outside of its page");
        }
        position += 4 + length;
      }
    }
  }

  /** Values of one width. */
  final class PlainFixed implements PageValues {
    private final byte[] data;
    private final int end;
    private final int width;
    private int position;

    PlainFixed(byte[] data, int position, int end, int width) {
      this.data = data;
      this.position = position;
      this.end = end;
      this.width = width;
    }

    @Override
    public void read(int count, DenseValues target) {
      target.addStored(data, position, end, count);
      position += count * width;
    }

    @Override
    public void skip(int count) {
      position = Math.addExact(position, Math.multiplyExact(count, width));
    }
  }

  /** Codes of a dictionary. */
  final class Codes implements PageValues {
    private final HybridDecoder decoder;
    private final PageDictionary dictionary;
    private int[] codes = new int[0];

    Codes(HybridDecoder decoder, PageDictionary dictionary) {
      this.decoder = decoder;
      this.dictionary = dictionary;
    }

    @Override
    public void read(int count, DenseValues target) {
      codes = codes.length < count ? new int[count] : codes;
      decoder.read(codes, 0, count);
      target.addCodes(codes, count, dictionary);
    }

    @Override
    public void skip(int count) {
      decoder.skip(count);
    }
  }

  /** Booleans in runs. */
  final class RunBooleans implements PageValues {
    private final HybridDecoder decoder;

    RunBooleans(byte[] data, int position, int end) {
      decoder = new HybridDecoder(data, position + 4, end, 1);
    }

    @Override
    public void read(int count, DenseValues target) {
      int[] bits = new int[count];
      decoder.read(bits, 0, count);
      for (int bit : bits) {
        target.addBoolean(bit != 0);
      }
    }

    @Override
    public void skip(int count) {
      decoder.skip(count);
    }
  }

  /** Deltas of integers. */
  final class DeltaIntegers implements PageValues {
    private final DeltaDecoder decoder;
    private final boolean wide;

    DeltaIntegers(LeafColumn leaf, byte[] data, int position, int end) {
      this.decoder = new DeltaDecoder(data, position, end);
      this.wide = leaf.element().type == Type.INT64;
    }

    @Override
    public void read(int count, DenseValues target) {
      long[] numbers = new long[count];
      decoder.read(numbers, 0, count);
      byte[] stored = new byte[count * (wide ? 8 : 4)];
      for (int index = 0; index < count; index++) {
        if (wide) {
          LittleEndian.putInt64(stored, 8 * index, numbers[index]);
        } else {
          LittleEndian.putInt32(stored, 4 * index, (int) numbers[index]);
        }
      }
      target.addStored(stored, 0, stored.length, count);
    }

    @Override
    public void skip(int count) {
      decoder.read(new long[count], 0, count);
    }
  }

  /** All lengths, then all bytes. */
  final class DeltaLengthValues implements PageValues {
    private final byte[] data;
    private final int end;
    private final long[] lengths;
    private int next;
    private int position;

    DeltaLengthValues(byte[] data, int position, int end) {
      this.data = data;
      this.end = end;
      DeltaDecoder decoder = new DeltaDecoder(data, position, end);
      lengths = allOf(decoder, end);
      this.position = decoder.endPosition();
    }

    @Override
    public void read(int count, DenseValues target) {
      for (int index = 0; index < count; index++) {
        int length = Math.toIntExact(lengths[next++]);
        target.addBytes(data, position, end, length);
        position += length;
      }
    }

    @Override
    public void skip(int count) {
      for (int index = 0; index < count; index++) {
        position = Math.addExact(position, Math.toIntExact(lengths[next++]));
      }
    }
  }

  /** All values of a decoder whose count the page's size must allow. */
  private static long[] allOf(DeltaDecoder decoder, int end) {
    if (decoder.totalCount() > 8L * end * 64) {
      throw new IllegalArgumentException("more values than a page can hold");
    }
    long[] values = new long[Math.toIntExact(decoder.totalCount())];
    decoder.read(values, 0, values.length);
    return values;
  }

  /** Each value shares a prefix with the one before it. */
  final class DeltaStringValues implements PageValues {
    private final LeafColumn leaf;
    private final byte[] data;
    private final long[] prefixes;
    private final DeltaLengthValues suffixes;
    private byte[] previous = new byte[0];
    private int next;

    DeltaStringValues(LeafColumn leaf, byte[] data, int position, int end) {
      this.leaf = leaf;
      this.data = data;
      DeltaDecoder decoder = new DeltaDecoder(data, position, end);
      prefixes = allOf(decoder, end);
      suffixes = new DeltaLengthValues(data, decoder.endPosition(), end);
    }

    @Override
    public void skip(int count) {
      for (int index = 0; index < count; index++) {
        nextValue();
      }
    }

    @Override
    public void read(int count, DenseValues target) {
      for (int index = 0; index < count; index++) {
        byte[] value = nextValue();
        if (leaf.element().type == Type.BYTE_ARRAY) {
          target.addBytes(value, 0, value.length, value.length);
        } else {
          target.addStored(value, 0, value.length, 1);
        }
      }
    }

    private byte[] nextValue() {
      int prefix = Math.toIntExact(prefixes[next]);
      int suffix = Math.toIntExact(suffixes.lengths[next++]);
      if (prefix < 0 || prefix > previous.length || suffix < 0) {
        throw new IllegalArgumentException("a prefix longer than the value before");
      }
      if (suffix > suffixes.end - suffixes.position) {
        throw new IllegalArgumentException("a value that ends outside of its page");
      }
      byte[] value = Arrays.copyOf(previous, prefix + suffix);
      System.arraycopy(data, suffixes.position, value, prefix, suffix);
      suffixes.position += suffix;
      previous = value;
      return value;
    }
  }

  /** The first bytes of all values, then the second ones, and so on. */
  final class StreamSplitValues implements PageValues {
    private final byte[] data;
    private final int start;
    private final int width;
    private final int streamLength;
    private int next;

    StreamSplitValues(LeafColumn leaf, byte[] data, int start, int end) {
      this.data = data;
      this.start = start;
      this.width = leaf.conversion().storedWidth();
      if (width <= 0 || start > end) {
        throw new IllegalArgumentException("values of varying width in split streams");
      }
      this.streamLength = (end - start) / width;
    }

    @Override
    public void read(int count, DenseValues target) {
      if (count > streamLength - next) {
        throw new IllegalArgumentException("fewer values than announced");
      }
      byte[] stored = new byte[count * width];
      for (int stream = 0; stream < width; stream++) {
        int from = start + stream * streamLength + next;
        for (int index = 0; index < count; index++) {
          stored[index * width + stream] = data[from + index];
        }
      }
      next += count;
      target.addStored(stored, 0, stored.length, count);
    }

    @Override
    public void skip(int count) {
      next = Math.addExact(next, count);
    }
  }
}
