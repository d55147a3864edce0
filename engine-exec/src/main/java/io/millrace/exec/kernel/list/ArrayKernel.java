package io.millrace.exec.kernel.list;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** A list of the arguments; null arguments are null elements. Rows that do not matter are null. */
final class ArrayKernel implements ScalarKernel {
  private final DataType type;

  ArrayKernel(DataType type) {
    this.type = type;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      for (int position = 0; position < rows.count(); position++) {
        int row = rows.row(position);
        while (builder.length() < row) {
          builder.appendNull();
        }
        for (ColumnVector argument : arguments) {
          append(builder.child(0), argument, row);
        }
        builder.endList();
      }
      while (builder.length() < rows.length()) {
        builder.appendNull();
      }
      return builder.finish();
    }
  }

  private static void append(VectorBuilder elements, ColumnVector argument, int row) {
    switch (argument) {
      case FlatVector flat -> elements.appendFrom(flat, row);
      case ConstantVector constant -> elements.appendFrom(constant.value(), 0);
      case DictionaryVector coded -> {
        if (coded.isNull(row)) {
          elements.appendNull();
        } else {
          elements.appendFrom(coded.dictionary(), coded.codeAt(row));
        }
      }
    }
  }
}
