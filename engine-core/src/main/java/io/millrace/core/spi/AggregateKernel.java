package io.millrace.core.spi;

import io.millrace.core.batch.ColumnVector;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The code of an aggregate function for one set of types. */
public interface AggregateKernel {

  /** A new accumulator; its memory comes from the allocator. */
  Accumulator create(BufferAllocator allocator);

  /** State per group, in flat arrays off-heap. Used by one thread at a time. */
  interface Accumulator extends AutoCloseable {

    /** Makes room for groups 0 to groupCount − 1; new ones start empty. */
    void resize(int groupCount);

    /**
     * Adds values.
     *
     * @param groups group of each position in {@code rows} (not of each row)
     */
    void add(int[] groups, List<ColumnVector> arguments, RowSet rows);

    /** Adds states that {@link #states} gave. */
    void merge(int[] groups, List<ColumnVector> states, RowSet rows);

    /** The state columns of a range of groups; the caller owns them. */
    List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator);

    /** The results of a range of groups; the caller owns it. */
    ColumnVector results(int firstGroup, int groupCount, BufferAllocator allocator);

    /** Bytes held. */
    long retainedBytes();

    @Override
    void close();
  }
}
