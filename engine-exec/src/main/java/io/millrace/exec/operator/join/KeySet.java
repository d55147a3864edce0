package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.operator.key.KeyRows;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * The values of one key column, possibly with others: of integers their bounds and, where these are
 * near enough, one bit a value; else bits of hashes (a Bloom filter of two bits a value). Nulls are
 * not in it. Immutable; at most 4 MiB.
 */
final class KeySet {
  private static final int LIMIT_BITS = 1 << 25;
  private static final int BITS_PER_KEY = 16;

  /** Whether values are integers of at most 64 bits that {@code longAt} keeps in order. */
  private final boolean integers;

  private final DataType type;
  private final long least;
  private final long greatest;

  /** Of the values minus {@link #least} when {@link #exact}, else of hashes; null: none. */
  private final long[] bits;

  private final boolean exact;

  private KeySet(
      DataType type, boolean integers, long least, long greatest, long[] bits, boolean exact) {
    this.type = type;
    this.integers = integers;
    this.least = least;
    this.greatest = greatest;
    this.bits = bits;
    this.exact = exact;
  }

  /**
   * @param batch without selection
   */
  static KeySet of(Batch batch, int column) {
    DataType type = batch.schema().field(column).type();
    return isInteger(type)
        ? ofIntegers(type, batch.column(column), batch.rowCount())
        : ofHashes(type, batch.column(column), batch.rowCount());
  }

  private static boolean isInteger(DataType type) {
    return switch (StorageTypes.of(type)) {
      case DataType.Int number -> number.signed() || number.byteWidth() < 8;
      case DataType.Date plain -> true;
      case DataType.Time plain -> true;
      case DataType.Timestamp plain -> true;
      case DataType.Duration plain -> true;
      default -> false;
    };
  }

  private static KeySet ofIntegers(DataType type, ColumnVector column, int rowCount) {
    FlatVector flat = values(column);
    int length = column instanceof FlatVector ? rowCount : flat.length();
    MemorySegment validity = flat.validity();
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int row = 0; row < length; row++) {
      if (validity == null || Bits.get(validity, row)) {
        long value = flat.longAt(row);
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    if (least > greatest) {
      return new KeySet(type, true, least, greatest, new long[1], true);
    }
    long range = greatest - least;
    if (range < 0 || range >= LIMIT_BITS) {
      return new KeySet(type, true, least, greatest, hashBits(type, column, rowCount), false);
    }
    long[] bits = new long[(int) (range >>> 6) + 1];
    for (int row = 0; row < length; row++) {
      if (validity == null || Bits.get(validity, row)) {
        long place = flat.longAt(row) - least;
        bits[(int) (place >>> 6)] |= 1L << place;
      }
    }
    return new KeySet(type, true, least, greatest, bits, true);
  }

  /** Where the values are; a dictionary may have more than the rows use, which does no harm. */
  private static FlatVector values(ColumnVector column) {
    return switch (column) {
      case FlatVector flat -> flat;
      case DictionaryVector coded -> coded.dictionary();
      case ConstantVector constant -> constant.value();
    };
  }

  private static KeySet ofHashes(DataType type, ColumnVector column, int rowCount) {
    return new KeySet(type, false, 0, 0, hashBits(type, column, rowCount), false);
  }

  /** Null when there are too many values to tell apart. */
  private static long[] hashBits(DataType type, ColumnVector column, int rowCount) {
    long wanted = Long.highestOneBit(Math.max(64, (long) rowCount * BITS_PER_KEY));
    if (wanted > LIMIT_BITS) {
      return null;
    }
    long[] bits = new long[(int) (wanted >>> 6)];
    KeyRows keys = new KeyRows(List.of(type), new boolean[1]);
    int step = 16_384;
    for (int from = 0; from < rowCount; from += step) {
      int count = Math.min(step, rowCount - from);
      encode(keys, type, column, rows(from, count), count);
      for (int row = 0; row < count; row++) {
        if (!keys.isUnmatchable(row)) {
          long hash = keys.hash(row);
          int word = (int) (hash >>> 40) & bits.length - 1;
          bits[word] |= 1L << hash | 1L << (hash >>> 6);
        }
      }
    }
    return bits;
  }

  private static int[] rows(int from, int count) {
    int[] rows = new int[count];
    for (int index = 0; index < count; index++) {
      rows[index] = from + index;
    }
    return rows;
  }

  private static void encode(
      KeyRows keys, DataType type, ColumnVector column, int[] rows, int count) {
    Schema schema = Schema.of(io.millrace.core.type.Field.nullable("key", type));
    try (Batch batch = new Batch(schema, List.of(column.retain()), column.length())) {
      keys.encode(batch, List.of(0), rows, count);
    }
  }

  /** Whether a value between both may be in it. */
  boolean mayContainBetween(long from, long to) {
    if (!integers) {
      return true;
    }
    if (to < least || from > greatest) {
      return false;
    }
    if (!exact) {
      return true;
    }
    long first = Math.max(from, least) - least;
    long last = Math.min(to, greatest) - least;
    int firstWord = (int) (first >>> 6);
    int lastWord = (int) (last >>> 6);
    for (int word = firstWord; word <= lastWord; word++) {
      long mask = word == firstWord ? -1L << first : -1L;
      mask &= word == lastWord ? -1L >>> 63 - (last & 63) : -1L;
      if ((bits[word] & mask) != 0) {
        return true;
      }
    }
    return false;
  }

  /** See {@link io.millrace.core.spi.RuntimeFilter#select}. */
  int select(ColumnVector column, int[] rows, int count, int[] passing) {
    switch (column) {
      case FlatVector flat -> {
        if (!integers) {
          return selectHashed(flat, rows, count, passing);
        }
        return switch (flat.layout().byteWidth()) {
          case 4 ->
              flat.layout().signed()
                  ? selectInts(flat, rows, count, passing)
                  : selectLongs(flat, rows, count, passing);
          default -> selectLongs(flat, rows, count, passing);
        };
      }
      case DictionaryVector coded -> {
        return selectCodes(coded, rows, count, passing);
      }
      case ConstantVector constant -> {
        boolean in = select(constant.value(), null, 1, new int[1]) == 1;
        if (!in) {
          return 0;
        }
        for (int index = 0; index < count; index++) {
          passing[index] = rows == null ? index : rows[index];
        }
        return count;
      }
    }
  }

  private boolean contains(long value) {
    long place = value - least;
    if (value < least || value > greatest) {
      return false;
    }
    return !exact || (bits[(int) (place >>> 6)] >>> place & 1) != 0;
  }

  private int selectInts(FlatVector flat, int[] rows, int count, int[] passing) {
    MemorySegment values = flat.values();
    MemorySegment validity = flat.validity();
    int kept = 0;
    for (int index = 0; index < count; index++) {
      int row = rows == null ? index : rows[index];
      passing[kept] = row;
      if (contains(values.get(Layouts.INT32, 4L * row))
          && (validity == null || Bits.get(validity, row))) {
        kept++;
      }
    }
    return kept;
  }

  private int selectLongs(FlatVector flat, int[] rows, int count, int[] passing) {
    MemorySegment values = flat.values();
    MemorySegment validity = flat.validity();
    boolean wide = flat.layout().byteWidth() == 8;
    int kept = 0;
    for (int index = 0; index < count; index++) {
      int row = rows == null ? index : rows[index];
      long value = wide ? values.get(Layouts.INT64, 8L * row) : flat.longAt(row);
      passing[kept] = row;
      if (contains(value) && (validity == null || Bits.get(validity, row))) {
        kept++;
      }
    }
    return kept;
  }

  private int selectHashed(FlatVector flat, int[] rows, int count, int[] passing) {
    if (flat.layout().kind() == PhysicalLayout.Kind.EMPTY || count == 0) {
      return 0;
    }
    if (bits == null) {
      for (int index = 0; index < count; index++) {
        passing[index] = rows == null ? index : rows[index];
      }
      return count;
    }
    KeyRows keys = new KeyRows(List.of(type), new boolean[1]);
    encode(keys, type, flat, rows, count);
    int kept = 0;
    for (int index = 0; index < count; index++) {
      passing[kept] = rows == null ? index : rows[index];
      if (!keys.isUnmatchable(index)) {
        long hash = keys.hash(index);
        long wanted = 1L << hash | 1L << (hash >>> 6);
        if ((bits[(int) (hash >>> 40) & bits.length - 1] & wanted) == wanted) {
          kept++;
        }
      }
    }
    return kept;
  }

  /** Each entry is looked up once when there are fewer of them than rows. */
  private int selectCodes(DictionaryVector coded, int[] rows, int count, int[] passing) {
    FlatVector dictionary = coded.dictionary();
    int entryCount = dictionary.length();
    int[] found = new int[entryCount];
    int foundCount = select(dictionary, null, entryCount, found);
    if (foundCount == 0) {
      return 0;
    }
    boolean[] in = new boolean[entryCount];
    if (foundCount == entryCount) {
      Arrays.fill(in, true);
    } else {
      for (int index = 0; index < foundCount; index++) {
        in[found[index]] = true;
      }
    }
    MemorySegment codes = coded.codes();
    MemorySegment validity = coded.validity();
    int kept = 0;
    for (int index = 0; index < count; index++) {
      int row = rows == null ? index : rows[index];
      passing[kept] = row;
      if ((validity == null || Bits.get(validity, row)) && in[codes.get(Layouts.INT32, 4L * row)]) {
        kept++;
      }
    }
    return kept;
  }
}
