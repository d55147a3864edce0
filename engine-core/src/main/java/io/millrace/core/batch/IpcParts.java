package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/**
 * The nodes and buffers of vectors in the order of an Arrow record batch. Written parts are trimmed
 * to their rows and offsets start at zero, so that a slice costs what it holds.
 */
final class IpcParts implements AutoCloseable {
  private final BufferAllocator allocator;
  private final List<ArrowFieldNode> nodes = new ArrayList<>();
  private final List<ArrowBuf> buffers = new ArrayList<>();

  IpcParts(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  List<ArrowFieldNode> nodes() {
    return nodes;
  }

  /** Owned by these parts. */
  List<ArrowBuf> buffers() {
    return buffers;
  }

  /** Adds a vector, which stays owned by the caller. */
  void add(FlatVector vector) {
    add(vector, 0, vector.length());
  }

  private void add(FlatVector vector, int from, int count) {
    if (from != 0 || count != vector.length()) {
      try (FlatVector slice = vector.slice(from, count)) {
        add(slice, 0, count);
      }
      return;
    }
    nodes.add(new ArrowFieldNode(count, vector.nullCount()));
    PhysicalLayout layout = vector.layout();
    if (layout.kind() != PhysicalLayout.Kind.EMPTY) {
      addRange(vector.validityBuffer(), 0, vector.nullCount() == 0 ? 0 : Bits.byteCount(count));
    }
    switch (layout.kind()) {
      case EMPTY -> {}
      case BITS -> addRange(vector.valueBuffer(), 0, Bits.byteCount(count));
      case FIXED -> addRange(vector.valueBuffer(), 0, (long) count * layout.byteWidth());
      case VARIABLE -> {
        int first = addOffsets(vector);
        addRange(vector.valueBuffer(), first, vector.endAt(count - 1) - first);
      }
      case LIST -> {
        int first = addOffsets(vector);
        add(vector.child(0), first, vector.endAt(count - 1) - first);
      }
      case FIXED_LIST -> add(vector.child(0), 0, Math.multiplyExact(count, layout.listSize()));
      case STRUCT -> vector.children().forEach(child -> add(child, 0, count));
    }
  }

  private void addRange(ArrowBuf buffer, long from, long bytes) {
    buffers.add(bytes == 0 ? allocator.getEmpty() : FlatVector.retain(buffer.slice(from, bytes)));
  }

  /** Adds offsets that start at zero; gives what the first one was. */
  private int addOffsets(FlatVector vector) {
    int first = vector.startAt(0);
    long bytes = 4L * vector.length() + 4;
    if (first == 0) {
      addRange(vector.offsetBuffer(), 0, bytes);
      return 0;
    }
    ArrowBuf rebased = allocator.buffer(bytes);
    buffers.add(rebased);
    MemorySegment source = vector.offsets();
    MemorySegment target = MemorySegment.ofAddress(rebased.memoryAddress()).reinterpret(bytes);
    for (long position = 0; position < bytes; position += 4) {
      target.set(Layouts.INT32, position, source.get(Layouts.INT32, position) - first);
    }
    rebased.writerIndex(bytes);
    return first;
  }

  @Override
  public void close() {
    buffers.forEach(ArrowBuf::close);
    buffers.clear();
  }

  /** Reads vectors from a record batch that {@link IpcParts} wrote. */
  static final class Reader {
    private final Iterator<ArrowFieldNode> nodes;
    private final Iterator<ArrowBuf> buffers;
    private final BufferAllocator allocator;

    /** The batch stays owned by the caller; its buffers are uncompressed. */
    Reader(ArrowRecordBatch batch, BufferAllocator allocator) {
      this(batch, batch.getBuffers(), allocator);
    }

    Reader(ArrowRecordBatch batch, List<ArrowBuf> buffers, BufferAllocator allocator) {
      this.nodes = batch.getNodes().iterator();
      this.buffers = buffers.iterator();
      this.allocator = allocator;
    }

    /** The next vector, owned by the caller; it shares the batch's memory. */
    FlatVector next(DataType type) {
      if (!nodes.hasNext()) {
        throw new MillraceException(
            ErrorCode.INVALID_FILE, "An Arrow record batch has too few columns: " + type);
      }
      ArrowFieldNode node = nodes.next();
      PhysicalLayout layout = PhysicalLayout.of(type);
      List<ArrowBuf> owned = new ArrayList<>(3);
      List<FlatVector> children = new ArrayList<>(layout.childCount());
      try {
        ArrowBuf validity = layout.kind() == PhysicalLayout.Kind.EMPTY ? null : nextBuffer(owned);
        ArrowBuf offsets = null;
        ArrowBuf values = null;
        switch (layout.kind()) {
          case EMPTY, FIXED_LIST, STRUCT -> {}
          case BITS, FIXED -> values = nextBuffer(owned);
          case VARIABLE -> {
            offsets = nextOffsets(node, owned);
            values = nextBuffer(owned);
          }
          case LIST -> offsets = nextOffsets(node, owned);
        }
        for (DataType child : StorageTypes.childTypes(type)) {
          children.add(next(child));
        }
        owned.clear();
        List<FlatVector> given = List.copyOf(children);
        children.clear();
        return new FlatVector(
            type, node.getLength(), node.getNullCount(), validity, offsets, values, given);
      } finally {
        owned.forEach(ArrowBuf::close);
        children.forEach(FlatVector::close);
      }
    }

    private ArrowBuf nextBuffer(List<ArrowBuf> owned) {
      ArrowBuf buffer = Transfer.retain(buffers.next(), allocator);
      owned.add(buffer);
      return buffer;
    }

    private ArrowBuf nextOffsets(ArrowFieldNode node, List<ArrowBuf> owned) {
      ArrowBuf buffer = nextBuffer(owned);
      if (node.getLength() > 0 || buffer.capacity() >= 4) {
        return buffer;
      }
      ArrowBuf zero = zeroOffset(allocator);
      owned.add(zero);
      return zero;
    }
  }

  /** Offsets of a vector without rows. */
  static ArrowBuf zeroOffset(BufferAllocator allocator) {
    ArrowBuf zero = allocator.buffer(4);
    zero.setInt(0, 0);
    return zero;
  }
}
