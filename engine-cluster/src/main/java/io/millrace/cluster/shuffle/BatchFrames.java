package io.millrace.cluster.shuffle;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.batch.RowOrigin;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Batches as frames: the buffers of their columns one after the other, each padded to 8 bytes, with
 * a checksum (CRC-32C) of all in front. Dictionaries and constants stay what they are. The schema
 * does not travel: both sides have it from the plan.
 *
 * <p>A frame is: checksum int32, row count int32, then per column its kind and the length of where
 * its rows are from as two int32, that (see {@link RowOrigin}), and one or two vectors. A vector
 * is: flags and length as two int32, validity bits when flagged, then the parts of its layout;
 * offsets start at zero.
 */
public final class BatchFrames {

  private static final int CHECKSUM_BYTES = 4;
  private static final int KIND_FLAT = 0;
  private static final int KIND_DICTIONARY = 1;
  private static final int KIND_CONSTANT = 2;
  private static final int FLAG_VALIDITY = 1;

  private BatchFrames() {}

  /**
   * The batch as a frame; consumes the batch.
   *
   * @param allocator for a compact copy, when the batch has a selection
   */
  public static byte[] encode(Batch batch, BufferAllocator allocator) {
    try (Batch compact = batch.compact(allocator)) {
      Encoder encoder = new Encoder();
      encoder.putInt(0);
      encoder.putInt(compact.rowCount());
      for (ColumnVector column : compact.columns()) {
        encoder.putColumn(column, allocator);
      }
      byte[] frame = encoder.toBytes();
      MemorySegment.ofArray(frame).set(Layouts.INT32, 0, checksum(frame));
      return frame;
    }
  }

  /**
   * The batch in a frame, owned by the caller.
   *
   * @throws MillraceException SHUFFLE_LOST when the frame is damaged
   */
  public static Batch decode(byte[] frame, Schema schema, BufferAllocator allocator) {
    if (frame.length < 2 * CHECKSUM_BYTES
        || MemorySegment.ofArray(frame).get(Layouts.INT32, 0) != checksum(frame)) {
      throw damaged("its checksum is wrong");
    }
    ArrowBuf buffer = allocator.buffer(frame.length);
    List<ColumnVector> columns = new ArrayList<>(schema.size());
    try {
      buffer.writeBytes(frame);
      Decoder decoder = new Decoder(buffer);
      decoder.takeInt();
      int rowCount = decoder.takeInt();
      for (DataType type : schema.types()) {
        columns.add(decoder.takeColumn(type, rowCount));
      }
      List<ColumnVector> given = List.copyOf(columns);
      columns.clear();
      return new Batch(schema, given, rowCount);
    } catch (IndexOutOfBoundsException wrongSchema) {
      throw damaged("it does not fit its schema " + schema);
    } finally {
      columns.forEach(ColumnVector::close);
      buffer.getReferenceManager().release();
    }
  }

  private static MillraceException damaged(String how) {
    return new MillraceException(ErrorCode.SHUFFLE_LOST, "A batch was damaged on its way: " + how);
  }

  private static int checksum(byte[] frame) {
    CRC32C sum = new CRC32C();
    sum.update(frame, CHECKSUM_BYTES, frame.length - CHECKSUM_BYTES);
    return (int) sum.getValue();
  }

  private static long padded(long bytes) {
    return (bytes + 7) & ~7L;
  }

  /** Writes into a growing array. */
  private static final class Encoder {
    private byte[] bytes = new byte[1 << 12];
    private int size;

    byte[] toBytes() {
      return Arrays.copyOf(bytes, size);
    }

    private void reserve(long count) {
      long needed = size + count;
      if (needed > Integer.MAX_VALUE - 8) {
        throw new MillraceException(
            ErrorCode.VALUE_TOO_LARGE,
            "A batch is too large for an exchange; lower batch.bytes: " + needed + " bytes");
      }
      if (needed > bytes.length) {
        long grown = Math.min(Integer.MAX_VALUE - 8, Math.max(needed, bytes.length * 2L));
        bytes = Arrays.copyOf(bytes, (int) grown);
      }
    }

    void putInt(int value) {
      reserve(4);
      MemorySegment.ofArray(bytes).set(Layouts.INT32, size, value);
      size += 4;
    }

    void putBytes(MemorySegment source, long from, long count) {
      long space = padded(count);
      reserve(space);
      MemorySegment.copy(source, from, MemorySegment.ofArray(bytes), size, count);
      size += (int) space;
    }

    void putColumn(ColumnVector column, BufferAllocator allocator) {
      switch (column) {
        case FlatVector flat -> {
          putKind(KIND_FLAT, column.origin());
          putVector(flat, 0, flat.length());
        }
        case DictionaryVector coded -> {
          // A dictionary larger than the rows that use it would be sent again with every piece.
          if (coded.dictionary().length() > coded.length()) {
            try (FlatVector flat = coded.flatten(allocator)) {
              putKind(KIND_FLAT, column.origin());
              putVector(flat, 0, flat.length());
            }
          } else {
            putKind(KIND_DICTIONARY, column.origin());
            putVector(coded.codeVector(), 0, coded.length());
            putVector(coded.dictionary(), 0, coded.dictionary().length());
          }
        }
        case ConstantVector constant -> {
          putKind(KIND_CONSTANT, null);
          putVector(constant.value(), 0, 1);
        }
      }
    }

    private void putKind(int kind, RowOrigin origin) {
      byte[] encoded = origin == null ? new byte[0] : origin.encode();
      putInt(kind);
      putInt(encoded.length);
      putBytes(MemorySegment.ofArray(encoded), 0, encoded.length);
    }

    /** Writes some rows of a vector; offsets are moved so that they start at zero. */
    private void putVector(FlatVector vector, int from, int count) {
      boolean hasValidity = vector.validity() != null;
      putInt(hasValidity ? FLAG_VALIDITY : 0);
      putInt(count);
      if (hasValidity) {
        putBits(vector.validity(), from, count);
      }
      switch (vector.layout().kind()) {
        case EMPTY -> {}
        case BITS -> putBits(vector.values(), from, count);
        case FIXED -> {
          long width = vector.layout().byteWidth();
          putBytes(vector.values(), from * width, count * width);
        }
        case VARIABLE -> {
          int start = putOffsets(vector, from, count);
          int end = count == 0 ? start : vector.endAt(from + count - 1);
          putBytes(vector.values(), start, end - start);
        }
        case LIST -> {
          int start = putOffsets(vector, from, count);
          int end = count == 0 ? start : vector.endAt(from + count - 1);
          putVector(vector.child(0), start, end - start);
        }
        case FIXED_LIST -> {
          int listSize = vector.layout().listSize();
          putVector(vector.child(0), from * listSize, count * listSize);
        }
        case STRUCT -> vector.children().forEach(child -> putVector(child, from, count));
      }
    }

    private int putOffsets(FlatVector vector, int from, int count) {
      int start = count == 0 ? 0 : vector.startAt(from);
      reserve(padded(4L * count + 4));
      MemorySegment target = MemorySegment.ofArray(bytes);
      target.set(Layouts.INT32, size, 0);
      for (int row = 0; row < count; row++) {
        target.set(Layouts.INT32, size + 4L * row + 4, vector.endAt(from + row) - start);
      }
      size += (int) padded(4L * count + 4);
      return start;
    }

    private void putBits(MemorySegment bits, int from, int count) {
      long wholeBytes = (count + 7L) / 8;
      if ((from & 7) == 0) {
        putBytes(bits, from >>> 3, wholeBytes);
        return;
      }
      reserve(padded(wholeBytes));
      MemorySegment target = MemorySegment.ofArray(bytes).asSlice(size, padded(wholeBytes));
      Bits.copy(bits, from, target, 0, count);
      size += (int) padded(wholeBytes);
    }
  }

  /** Reads vectors as slices of one buffer, each of which holds on to it. */
  private static final class Decoder {
    private final ArrowBuf buffer;
    private long position;

    Decoder(ArrowBuf buffer) {
      this.buffer = buffer;
    }

    int takeInt() {
      checkLeft(4);
      int value = buffer.getInt(position);
      position += 4;
      return value;
    }

    private void checkLeft(long count) {
      if (count < 0 || count > buffer.readableBytes() - position) {
        throw new IndexOutOfBoundsException("frame is cut off");
      }
    }

    private ArrowBuf takeBytes(long count) {
      checkLeft(count);
      ArrowBuf slice = buffer.slice(position, count);
      slice.getReferenceManager().retain();
      position += padded(count);
      return slice;
    }

    ColumnVector takeColumn(DataType type, int rowCount) {
      int kind = takeInt();
      int originBytes = takeInt();
      if (originBytes == 0) {
        return takeVectors(kind, type, rowCount);
      }
      RowOrigin origin = takeOrigin(originBytes);
      return takeVectors(kind, type, rowCount).withOrigin(origin);
    }

    private RowOrigin takeOrigin(int count) {
      checkLeft(count);
      byte[] encoded = new byte[count];
      buffer.getBytes(position, encoded);
      position += padded(count);
      return RowOrigin.decode(encoded);
    }

    private ColumnVector takeVectors(int kind, DataType type, int rowCount) {
      return switch (kind) {
        case KIND_FLAT -> takeVector(type);
        case KIND_DICTIONARY -> {
          FlatVector codes = takeVector(DataType.INT32);
          try {
            yield new DictionaryVector(codes, takeVector(type));
          } catch (RuntimeException failure) {
            codes.close();
            throw failure;
          }
        }
        case KIND_CONSTANT -> new ConstantVector(takeVector(type), rowCount);
        default -> throw new IndexOutOfBoundsException("unknown kind of column: " + kind);
      };
    }

    private FlatVector takeVector(DataType type) {
      int flags = takeInt();
      int length = takeInt();
      PhysicalLayout layout = PhysicalLayout.of(type);
      ArrowBuf validity = null;
      ArrowBuf offsets = null;
      ArrowBuf values = null;
      List<FlatVector> children = new ArrayList<>();
      try {
        if ((flags & FLAG_VALIDITY) != 0) {
          validity = takeBytes((length + 7L) / 8);
        }
        switch (layout.kind()) {
          case EMPTY -> {}
          case BITS -> values = takeBytes((length + 7L) / 8);
          case FIXED -> values = takeBytes((long) length * layout.byteWidth());
          case VARIABLE -> {
            offsets = takeBytes(4L * length + 4);
            values = takeBytes(offsets.getInt(4L * length));
          }
          case LIST -> {
            offsets = takeBytes(4L * length + 4);
            children.add(takeVector(StorageTypes.childTypes(type).get(0)));
          }
          case FIXED_LIST -> children.add(takeVector(StorageTypes.childTypes(type).get(0)));
          case STRUCT -> {
            for (DataType child : StorageTypes.childTypes(type)) {
              children.add(takeVector(child));
            }
          }
        }
      } catch (RuntimeException failure) {
        release(validity);
        release(offsets);
        release(values);
        children.forEach(FlatVector::close);
        throw failure;
      }
      return new FlatVector(
          type, length, validity == null ? 0 : -1, validity, offsets, values, children);
    }

    private static void release(ArrowBuf slice) {
      if (slice != null) {
        slice.getReferenceManager().release();
      }
    }
  }
}
