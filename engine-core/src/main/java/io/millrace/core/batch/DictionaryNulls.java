package io.millrace.core.batch;

import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.BufferAllocator;

/** Turns null entries of a dictionary into null rows. */
final class DictionaryNulls {
  private DictionaryNulls() {}

  static DictionaryVector fold(FlatVector codes, FlatVector dictionary, BufferAllocator allocator) {
    try (codes;
        dictionary) {
      int[] newCodes = new int[dictionary.length()];
      int[] kept = new int[dictionary.length()];
      int keptCount = 0;
      for (int entry = 0; entry < dictionary.length(); entry++) {
        if (dictionary.isNull(entry)) {
          newCodes[entry] = -1;
        } else {
          newCodes[entry] = keptCount;
          kept[keptCount++] = entry;
        }
      }
      FlatVector keptDictionary = Gather.flat(dictionary, kept, keptCount, allocator);
      try {
        return new DictionaryVector(recode(codes, newCodes, allocator), keptDictionary);
      } catch (RuntimeException | Error failure) {
        keptDictionary.close();
        throw failure;
      }
    }
  }

  private static FlatVector recode(FlatVector codes, int[] newCodes, BufferAllocator allocator) {
    MemorySegment old = codes.values();
    try (VectorBuilder builder = new VectorBuilder(codes.type(), allocator)) {
      for (int row = 0; row < codes.length(); row++) {
        int code = codes.isNull(row) ? -1 : newCodes[old.get(Layouts.INT32, 4L * row)];
        if (code < 0) {
          builder.appendNull();
        } else {
          builder.appendLong(code);
        }
      }
      return builder.finish();
    }
  }
}
