package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Rows as int32 codes into a shared dictionary. The dictionary has no nulls (null rows are said by
 * this vector's own validity) and may hold equal values twice. The code of a null row is
 * unspecified: check validity first.
 */
public final class DictionaryVector implements ColumnVector {
  /** The codes with their validity, as a flat int32 vector. */
  private final FlatVector codes;

  private final FlatVector dictionary;
  private boolean closed;

  /**
   * Takes ownership of both.
   *
   * @param codes int32; null where the row is null
   * @param dictionary without nulls; see {@link #of} when it may have some
   */
  public DictionaryVector(FlatVector codes, FlatVector dictionary) {
    this.codes = codes;
    this.dictionary = dictionary;
    if (!codes.type().equals(DataType.INT32) || dictionary.nullCount() > 0) {
      close();
      throw new MillraceException(
          ErrorCode.INTERNAL_ERROR,
          "A dictionary vector has int32 codes and a dictionary without nulls: "
              + codes.type()
              + ", "
              + dictionary.type());
    }
  }

  /** Takes ownership of the buffers and the dictionary. */
  public DictionaryVector(
      int length, int nullCount, ArrowBuf validity, ArrowBuf codes, FlatVector dictionary) {
    this(FlatVector.ofFixedWidth(DataType.INT32, length, nullCount, validity, codes), dictionary);
  }

  /**
   * The same for a dictionary that may hold nulls: they become null rows. Takes ownership, also
   * when it throws.
   */
  public static DictionaryVector of(
      FlatVector codes, FlatVector dictionary, BufferAllocator allocator) {
    if (dictionary.nullCount() == 0) {
      return new DictionaryVector(codes, dictionary);
    }
    return DictionaryNulls.fold(codes, dictionary, allocator);
  }

  private void requireOpen() {
    if (closed) {
      throw new MillraceException(
          ErrorCode.OWNERSHIP_VIOLATION, "A vector was used after its close: " + type());
    }
  }

  @Override
  public DataType type() {
    return dictionary.type();
  }

  @Override
  public int length() {
    return codes.length();
  }

  /** int32 codes, one a row. */
  public MemorySegment codes() {
    requireOpen();
    return codes.values();
  }

  /** The codes with their validity; stays owned by this vector. */
  public FlatVector codeVector() {
    requireOpen();
    return codes;
  }

  /** One bit a row, 1 for valid; null when no row is null. */
  public MemorySegment validity() {
    requireOpen();
    return codes.validity();
  }

  public int nullCount() {
    return codes.nullCount();
  }

  /** Has no nulls; stays owned by this vector. */
  public FlatVector dictionary() {
    requireOpen();
    return dictionary;
  }

  public int codeAt(int row) {
    return codes().get(Layouts.INT32, 4L * row);
  }

  @Override
  public boolean isNull(int row) {
    requireOpen();
    return codes.isNull(row);
  }

  @Override
  public boolean hasNoNulls() {
    return codes.hasNoNulls();
  }

  @Override
  public Object valueAt(int row) {
    return isNull(row) ? null : dictionary.valueAt(codeAt(row));
  }

  @Override
  public long retainedBytes() {
    requireOpen();
    RetainedBytes total = new RetainedBytes();
    addRetained(total);
    return total.bytes();
  }

  void addRetained(RetainedBytes total) {
    codes.addRetained(total);
    dictionary.addRetained(total);
  }

  /** Whether both share one dictionary, so that codes compare. */
  public boolean sameDictionary(DictionaryVector other) {
    return dictionary == other.dictionary
        || dictionary.length() == other.dictionary.length()
            && dictionary.type().equals(other.dictionary.type())
            && dictionary.length() > 0
            && samePlace(dictionary, other.dictionary);
  }

  private static boolean samePlace(FlatVector left, FlatVector right) {
    if (left.values().address() != right.values().address()
        || left.offsets().address() != right.offsets().address()) {
      return false;
    }
    for (int index = 0; index < left.children().size(); index++) {
      if (!samePlace(left.child(index), right.child(index))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public RowOrigin origin() {
    return codes.origin();
  }

  @Override
  public DictionaryVector withOrigin(RowOrigin origin) {
    requireOpen();
    if (origin == codes.origin()) {
      return this;
    }
    closed = true;
    return new DictionaryVector(codes.withOrigin(origin), dictionary);
  }

  @Override
  public DictionaryVector retain() {
    requireOpen();
    return new DictionaryVector(codes.retain(), dictionary.retain());
  }

  @Override
  public FlatVector flatten(BufferAllocator allocator) {
    return Gather.flat(dictionary(), codesOrMinusOne(), length(), allocator)
        .withOrigin(codes.origin());
  }

  /** The codes as an array, −1 for null rows. */
  public int[] codesOrMinusOne() {
    int[] rows = new int[length()];
    MemorySegment.copy(codes(), Layouts.INT32, 0, rows, 0, rows.length);
    MemorySegment valid = validity();
    if (valid != null) {
      for (int row = 0; row < rows.length; row++) {
        rows[row] = Bits.get(valid, row) ? rows[row] : -1;
      }
    }
    return rows;
  }

  @Override
  public DictionaryVector slice(int from, int count) {
    requireOpen();
    Objects.checkFromIndexSize(from, count, length());
    return new DictionaryVector(codes.slice(from, count), dictionary.retain());
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      codes.close();
      dictionary.close();
    }
  }

  @Override
  public String toString() {
    return "dictionary " + type() + " [" + length() + " of " + dictionary.length() + "]";
  }
}
