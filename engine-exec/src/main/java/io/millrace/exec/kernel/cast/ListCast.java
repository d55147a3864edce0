package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.kernel.lane.ValidityMask;
import io.millrace.exec.kernel.list.ListRows;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Conversions between lists, fixed lists, embeddings and maps: element by element. To a fixed
 * length only lists of that length fit, and to elements that cannot be null only those without
 * null. When safe, an element that does not fit is null, and so is the list when its elements
 * cannot be.
 */
final class ListCast implements ScalarKernel {
  private final CastRequest request;
  private final ScalarKernel element;
  private final boolean fixed;
  private final int fixedCount;
  private final boolean elementsRequired;
  private final ValidityMask mask = new ValidityMask();

  /**
   * @param element converts elements
   */
  ListCast(CastRequest request, ScalarKernel element) {
    this.request = request;
    this.element = element;
    PhysicalLayout layout = PhysicalLayout.of(request.to());
    this.fixed = layout.kind() == PhysicalLayout.Kind.FIXED_LIST;
    this.fixedCount = layout.listSize();
    Field target = StorageTypes.children(request.to()).getFirst();
    this.elementsRequired = !target.nullable();
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    mask.reset(rows.length(), arguments);
    boolean[] wanted = new boolean[rows.length()];
    for (int position = 0; position < rows.count(); position++) {
      wanted[rows.row(position)] = true;
    }
    for (int row = 0; row < wanted.length; row++) {
      if (!wanted[row]) {
        mask.clear(row);
      }
    }
    try (FlatVector lists = arguments.get(0).flatten(allocator)) {
      return fixed ? toFixed(lists, allocator) : toVariable(lists, allocator);
    }
  }

  /** Gathers the elements of the rows that count one after the other, then converts them. */
  private FlatVector toVariable(FlatVector lists, BufferAllocator allocator) {
    int length = lists.length();
    long total = 0;
    for (int row = 0; row < length; row++) {
      total += mask.isValid(row) ? ListRows.count(lists, row) : 0;
    }
    int[] elements = new int[Math.toIntExact(total)];
    ArrowBuf offsetBuffer = allocator.buffer(4L * length + 4);
    try {
      MemorySegment offsets =
          MemorySegment.ofAddress(offsetBuffer.memoryAddress())
              .reinterpret(offsetBuffer.capacity());
      offsets.set(Layouts.INT32, 0, 0);
      int next = 0;
      for (int row = 0; row < length; row++) {
        int count = mask.isValid(row) ? ListRows.count(lists, row) : 0;
        for (int index = 0; index < count; index++) {
          elements[next++] = ListRows.start(lists, row) + index;
        }
        offsets.set(Layouts.INT32, 4L * row + 4, next);
      }
      FlatVector child = convert(lists.child(0), elements, allocator);
      requireElements(lists, child, offsets);
      ArrowBuf given = offsetBuffer;
      offsetBuffer = null;
      return nested(length, given, child, allocator);
    } finally {
      if (offsetBuffer != null) {
        offsetBuffer.close();
      }
    }
  }

  /** Every row has its place; rows that do not count repeat some element, which nobody reads. */
  private FlatVector toFixed(FlatVector lists, BufferAllocator allocator) {
    int length = lists.length();
    for (int row = 0; row < length; row++) {
      if (mask.isValid(row) && ListRows.count(lists, row) != fixedCount) {
        refuse(lists, row);
      }
    }
    int filler = filler(lists);
    if (filler < 0 && fixedCount > 0) {
      return FlatVector.ofNulls(request.to(), length, allocator);
    }
    int[] elements = new int[Math.multiplyExact(length, fixedCount)];
    for (int row = 0; row < length; row++) {
      boolean counts = mask.isValid(row);
      for (int index = 0; index < fixedCount; index++) {
        elements[row * fixedCount + index] = counts ? ListRows.start(lists, row) + index : filler;
      }
    }
    FlatVector child = convert(lists.child(0), elements, allocator);
    requireElements(lists, child, null);
    return nested(length, null, child, allocator);
  }

  /** An element of a row that counts, so that its conversion is asked for anyway; −1 for none. */
  private int filler(FlatVector lists) {
    for (int row = 0; row < lists.length(); row++) {
      if (mask.isValid(row) && ListRows.count(lists, row) > 0) {
        return ListRows.start(lists, row);
      }
    }
    return -1;
  }

  private FlatVector convert(FlatVector elements, int[] rows, BufferAllocator allocator) {
    try (FlatVector gathered = Gather.flat(elements, rows, rows.length, allocator);
        ColumnVector converted =
            element.evaluate(List.of(gathered), RowSet.all(rows.length), allocator)) {
      return converted.flatten(allocator);
    }
  }

  private FlatVector nested(
      int length, ArrowBuf offsets, FlatVector child, BufferAllocator allocator) {
    ArrowBuf validity;
    try {
      validity = mask.buffer(allocator);
    } catch (RuntimeException | Error failure) {
      child.close();
      if (offsets != null) {
        offsets.close();
      }
      throw failure;
    }
    return FlatVector.ofNested(
        request.to(), length, validity == null ? 0 : -1, validity, offsets, List.of(child));
  }

  private void requireElements(FlatVector lists, FlatVector child, MemorySegment offsets) {
    if (!elementsRequired || child.nullCount() == 0) {
      return;
    }
    try {
      for (int row = 0; row < lists.length(); row++) {
        int from = offsets == null ? row * fixedCount : offsets.get(Layouts.INT32, 4L * row);
        int to = offsets == null ? from + fixedCount : offsets.get(Layouts.INT32, 4L * row + 4);
        for (int index = from; index < to && mask.isValid(row); index++) {
          if (child.isNull(index)) {
            refuse(lists, row);
          }
        }
      }
    } catch (RuntimeException | Error failure) {
      child.close();
      throw failure;
    }
  }

  private void refuse(FlatVector lists, int row) {
    if (!request.safe()) {
      DataType from = request.from();
      throw CastBlock.failure(ValueText.of(from).text(lists, row), from, request.to());
    }
    mask.clear(row);
  }

  @Override
  public void close() {
    element.close();
  }
}
