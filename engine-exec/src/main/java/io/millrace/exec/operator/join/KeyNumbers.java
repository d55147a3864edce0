package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.exec.operator.key.KeyRows;
import io.millrace.exec.operator.key.KeyTable;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Numbers of the distinct keys of build rows. Filled by one thread, then read by many. */
sealed interface KeyNumbers extends AutoCloseable {

  /** What a probe driver needs of its own to look keys up. */
  final class Scratch {
    private final KeyRows rows;
    private int[] positions = new int[0];

    /**
     * @param rows for the probe side's keys
     */
    Scratch(KeyRows rows) {
      this.rows = rows;
    }
  }

  /** Distinct keys. */
  int size();

  long bytes();

  /** Finds or adds the key of each row of a batch without selection; −1 if it can match nothing. */
  void assign(Batch batch, int[] numbers);

  /** Finds the key of each selected row; −1 without match. */
  void find(Batch probe, List<Integer> columns, Scratch scratch, int[] numbers);

  @Override
  void close();

  /** Keys of any types, as words. */
  final class Encoded implements KeyNumbers {
    private final KeyRows rows;
    private final List<Integer> columns;
    private final KeyTable table;

    Encoded(KeyRows rows, List<Integer> columns, BufferAllocator allocator) {
      this.rows = rows;
      this.columns = columns;
      this.table = new KeyTable(rows, allocator);
    }

    @Override
    public int size() {
      return table.size();
    }

    @Override
    public long bytes() {
      return table.bytes();
    }

    @Override
    public void assign(Batch batch, int[] numbers) {
      rows.encode(batch, columns);
      table.assignMatchable(rows, numbers);
    }

    @Override
    public void find(Batch probe, List<Integer> probeColumns, Scratch scratch, int[] numbers) {
      scratch.rows.encode(probe, probeColumns);
      table.find(scratch.rows, numbers);
    }

    @Override
    public void close() {
      table.close();
    }
  }

  /** One key column of integers, whose nulls match nothing. */
  final class OfIntegers implements KeyNumbers {
    private final int column;
    private final IntegerKeys keys;

    /**
     * @param values all that will be assigned
     */
    OfIntegers(int column, ColumnVector values, BufferAllocator allocator) {
      this.column = column;
      this.keys = IntegerKeys.of(values, allocator);
    }

    @Override
    public int size() {
      return keys.size();
    }

    @Override
    public long bytes() {
      return keys.bytes();
    }

    @Override
    public void assign(Batch batch, int[] numbers) {
      keys.assign(batch.column(column), numbers);
    }

    @Override
    public void find(Batch probe, List<Integer> columns, Scratch scratch, int[] numbers) {
      int count = probe.rowCount();
      if (scratch.positions.length < count) {
        scratch.positions = new int[count];
      }
      ColumnVector values = probe.column(columns.get(0));
      keys.find(values, probe.selection(), count, scratch.positions, numbers);
    }

    @Override
    public void close() {
      keys.close();
    }
  }
}
