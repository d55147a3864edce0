package io.millrace.core.batch;

import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Cuts dictionaries to the entries that rows use. */
final class DictionaryCompaction {
  private DictionaryCompaction() {}

  /** An owned vector of the same rows whose dictionary has no more entries than there are rows. */
  static DictionaryVector compact(DictionaryVector source, BufferAllocator allocator) {
    int size = source.dictionary().length();
    if (size <= source.length()) {
      return source.retain();
    }
    int[] codes = source.codesOrMinusOne();
    int[] newCodes = new int[size];
    Arrays.fill(newCodes, -1);
    int[] used = new int[codes.length];
    int usedCount = 0;
    for (int row = 0; row < codes.length; row++) {
      int code = codes[row];
      if (code < 0) {
        codes[row] = 0;
        continue;
      }
      if (newCodes[code] < 0) {
        newCodes[code] = usedCount;
        used[usedCount++] = code;
      }
      codes[row] = newCodes[code];
    }
    FlatVector dictionary = Gather.flat(source.dictionary(), used, usedCount, allocator);
    try {
      FlatVector flatCodes = codes(codes, source.codeVector(), allocator);
      return new DictionaryVector(flatCodes, dictionary);
    } catch (RuntimeException | Error failure) {
      dictionary.close();
      throw failure;
    }
  }

  private static FlatVector codes(int[] codes, FlatVector old, BufferAllocator allocator) {
    ArrowBuf values = allocator.buffer(4L * codes.length);
    MemorySegment target =
        MemorySegment.ofAddress(values.memoryAddress()).reinterpret(4L * codes.length);
    MemorySegment.copy(codes, 0, target, Layouts.INT32, 0, codes.length);
    return FlatVector.ofFixedWidth(
        DataType.INT32,
        codes.length,
        old.nullCount(),
        FlatVector.retain(old.validityBuffer()),
        values);
  }

  /** A constant that is not null as a dictionary of one entry. */
  static DictionaryVector ofConstant(ConstantVector source, BufferAllocator allocator) {
    ArrowBuf codes = allocator.buffer(4L * source.length());
    codes.setZero(0, codes.capacity());
    return new DictionaryVector(source.length(), 0, null, codes, source.value().retain());
  }
}
