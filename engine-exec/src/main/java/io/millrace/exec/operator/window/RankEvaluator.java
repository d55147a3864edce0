package io.millrace.exec.operator.window;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Functions of the row's place alone. */
enum RankEvaluator implements WindowEvaluator {
  ROW_NUMBER {
    @Override
    void fill(WindowBlock block, MemorySegment target) {
      for (int row = 0; row < block.rowCount(); row++) {
        target.set(Layouts.INT64, 8L * row, row - block.partitionStart(row) + 1L);
      }
    }
  },
  RANK {
    @Override
    void fill(WindowBlock block, MemorySegment target) {
      for (int row = 0; row < block.rowCount(); row++) {
        long rank = block.peerStart(row) - block.partitionStart(row) + 1L;
        target.set(Layouts.INT64, 8L * row, rank);
      }
    }
  },
  DENSE_RANK {
    @Override
    void fill(WindowBlock block, MemorySegment target) {
      int[] peers = block.peers();
      for (int row = 0; row < block.rowCount(); row++) {
        long rank = peers[row] - peers[block.partitionStart(row)] + 1L;
        target.set(Layouts.INT64, 8L * row, rank);
      }
    }
  },
  PERCENT_RANK {
    @Override
    DataType type() {
      return DataType.FLOAT64;
    }

    @Override
    void fill(WindowBlock block, MemorySegment target) {
      for (int row = 0; row < block.rowCount(); row++) {
        int start = block.partitionStart(row);
        int others = block.partitionEnd(row) - start - 1;
        double rank = block.peerStart(row) - start;
        target.set(Layouts.FLOAT64, 8L * row, others == 0 ? 0 : rank / others);
      }
    }
  },
  CUME_DIST {
    @Override
    DataType type() {
      return DataType.FLOAT64;
    }

    @Override
    void fill(WindowBlock block, MemorySegment target) {
      for (int row = 0; row < block.rowCount(); row++) {
        int start = block.partitionStart(row);
        double count = block.partitionEnd(row) - start;
        target.set(Layouts.FLOAT64, 8L * row, (block.peerEnd(row) - start) / count);
      }
    }
  };

  DataType type() {
    return DataType.INT64;
  }

  /** Writes eight bytes a row. */
  abstract void fill(WindowBlock block, MemorySegment target);

  @Override
  public ColumnVector evaluate(WindowBlock block, FrameRanges frames, BufferAllocator allocator) {
    ArrowBuf values = allocator.buffer(8L * block.rowCount());
    MemorySegment target =
        MemorySegment.ofAddress(values.memoryAddress()).reinterpret(values.capacity());
    fill(block, target);
    return FlatVector.ofFixedWidth(type(), block.rowCount(), 0, null, values);
  }
}
