package io.millrace.core.batch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Further handles on the same memory, charged to another allocator of the same root. */
final class Transfer {
  private Transfer() {}

  static ColumnVector retain(ColumnVector source, BufferAllocator allocator) {
    return switch (source) {
      case FlatVector flat -> retain(flat, allocator);
      case DictionaryVector coded ->
          new DictionaryVector(
              retain(coded.codeVector(), allocator), retain(coded.dictionary(), allocator));
      case ConstantVector constant ->
          new ConstantVector(retain(constant.value(), allocator), constant.length());
    };
  }

  static FlatVector retain(FlatVector source, BufferAllocator allocator) {
    FlatVector moved =
        new FlatVector(
            source.type(),
            source.length(),
            source.knownNullCount(),
            retain(source.validityBuffer(), allocator),
            retain(source.offsetBuffer(), allocator),
            retain(source.valueBuffer(), allocator),
            source.children().stream().map(child -> retain(child, allocator)).toList());
    return moved.withOrigin(source.origin());
  }

  /** A handle charged to the allocator; null stays null. */
  static ArrowBuf retain(ArrowBuf buffer, BufferAllocator allocator) {
    if (buffer == null) {
      return null;
    }
    return buffer.capacity() == 0
        ? allocator.getEmpty()
        : buffer.getReferenceManager().retain(buffer, allocator);
  }
}
