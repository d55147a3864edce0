package io.millrace.exec.kernel;

import io.millrace.core.batch.FlatVector;
import io.millrace.exec.kernel.lane.ValidityMask;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** The same values under another validity. */
public final class MaskedValues {
  private MaskedValues() {}

  /** A further handle on the values, with the validity of the mask. */
  public static FlatVector of(FlatVector values, ValidityMask mask, BufferAllocator allocator) {
    ArrowBuf validity = mask.buffer(allocator);
    return new FlatVector(
        values.type(),
        values.length(),
        validity == null ? 0 : -1,
        validity,
        retain(values.offsetBuffer()),
        retain(values.valueBuffer()),
        values.children().stream().map(FlatVector::retain).toList());
  }

  private static ArrowBuf retain(ArrowBuf buffer) {
    if (buffer != null) {
      buffer.getReferenceManager().retain();
    }
    return buffer;
  }
}
