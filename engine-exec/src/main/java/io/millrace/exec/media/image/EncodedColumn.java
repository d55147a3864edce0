package io.millrace.exec.media.image;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/** A binary column whose values are handed to native code without copying. */
final class EncodedColumn implements AutoCloseable {
  private final FlatVector bytes;

  EncodedColumn(ColumnVector column, BufferAllocator allocator) {
    bytes = column.flatten(allocator);
  }

  boolean isNull(int row) {
    return bytes.isNull(row);
  }

  /** Names the row for an error: by its file and row when these are known. */
  String nameOf(int row) {
    return Optional.ofNullable(bytes.origin())
        .flatMap(origin -> origin.at(row))
        .orElse("row " + row + " of its batch");
  }

  /** A direct buffer over the value; valid until this column is closed. */
  ByteBuffer value(int row) {
    return bytes.values().asSlice(bytes.byteOffsetAt(row), bytes.byteLengthAt(row)).asByteBuffer();
  }

  @Override
  public void close() {
    bytes.close();
  }
}
