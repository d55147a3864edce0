package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Conversion of structs member by member, by position. */
final class StructCast implements ScalarKernel {
  private final DataType type;
  private final List<ScalarKernel> members;
  private final ValidityMask mask = new ValidityMask();

  /**
   * @param members converts each member
   */
  StructCast(DataType type, List<ScalarKernel> members) {
    this.type = type;
    this.members = members;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    mask.reset(rows.length(), arguments);
    int[] counting = new int[rows.count()];
    int count = 0;
    for (int position = 0; position < rows.count(); position++) {
      counting[count] = rows.row(position);
      count += mask.isValid(rows.row(position)) ? 1 : 0;
    }
    RowSet present = RowSet.of(rows.length(), counting, count);
    List<FlatVector> children = new ArrayList<>(members.size());
    try (FlatVector structs = arguments.get(0).flatten(allocator)) {
      for (int index = 0; index < members.size(); index++) {
        children.add(member(structs, index, present, allocator));
      }
      ArrowBuf validity = mask.buffer(allocator);
      List<FlatVector> given = List.copyOf(children);
      children.clear();
      return FlatVector.ofNested(
          type, rows.length(), validity == null ? 0 : -1, validity, null, given);
    } finally {
      children.forEach(FlatVector::close);
    }
  }

  private FlatVector member(FlatVector structs, int index, RowSet rows, BufferAllocator allocator) {
    try (FlatVector member = structs.child(index).slice(0, structs.length());
        ColumnVector converted = members.get(index).evaluate(List.of(member), rows, allocator)) {
      return converted.flatten(allocator);
    }
  }

  @Override
  public void close() {
    members.forEach(ScalarKernel::close);
  }
}
