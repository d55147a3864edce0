package io.millrace.exec.kernel;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.Output;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A kernel that gives null on null and otherwise maps blocks of argument values to blocks of
 * results of fixed width. The loop of a subclass sees plain arrays; it may compute anything for
 * null rows and says when some value of a block may have failed.
 */
public abstract class BlockKernel implements ScalarKernel, SelectingKernel {
  private final List<Lane> inputs;
  private final Output output;
  private final ValidityMask mask = new ValidityMask();

  /**
   * @param inputs one per argument
   */
  protected BlockKernel(Output output, Lane... inputs) {
    this.output = output;
    this.inputs = List.of(inputs);
  }

  /**
   * Computes elements 0 to count − 1 of the output from those of the inputs.
   *
   * @return whether {@link #isFaulty} may hold for an element
   */
  protected abstract boolean compute(int count);

  /** Whether an element of the block failed; asked only for rows that are not null. */
  protected boolean isFaulty(int lane) {
    return false;
  }

  /** The error of an element that failed. */
  protected MillraceException fault(int lane) {
    throw new IllegalStateException("This kernel does not fail: " + getClass().getSimpleName());
  }

  /** Whether an element that failed gives null instead of an error. */
  protected boolean faultGivesNull() {
    return false;
  }

  private void begin(List<ColumnVector> arguments, RowSet rows) {
    mask.reset(rows.length());
    for (int index = 0; index < inputs.size(); index++) {
      inputs.get(index).bind(arguments.get(index));
      mask.and(arguments.get(index));
    }
  }

  private void computeBlock(RowSet rows, int from, int count) {
    for (Lane input : inputs) {
      input.load(rows, from, count);
    }
    if (compute(count)) {
      settle(rows, from, count);
    }
  }

  /** Errors count only for rows that are not null. */
  private void settle(RowSet rows, int from, int count) {
    for (int lane = 0; lane < count; lane++) {
      int row = rows.row(from + lane);
      if (mask.isValid(row) && isFaulty(lane)) {
        if (!faultGivesNull()) {
          throw fault(lane);
        }
        mask.clear(row);
      }
    }
  }

  @Override
  public final FlatVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    begin(arguments, rows);
    output.open(rows.length(), allocator);
    try {
      for (int from = 0; from < rows.count(); from += Lane.BLOCK_ROWS) {
        int count = Math.min(Lane.BLOCK_ROWS, rows.count() - from);
        computeBlock(rows, from, count);
        output.store(rows, from, count);
      }
      return output.finish(mask, allocator);
    } finally {
      output.abandon();
    }
  }

  @Override
  public final boolean canSelect() {
    return output instanceof BooleanOutput;
  }

  @Override
  public final int select(List<ColumnVector> arguments, RowSet rows, int[] target) {
    BooleanOutput truths = (BooleanOutput) output;
    begin(arguments, rows);
    int found = 0;
    for (int from = 0; from < rows.count(); from += Lane.BLOCK_ROWS) {
      int count = Math.min(Lane.BLOCK_ROWS, rows.count() - from);
      computeBlock(rows, from, count);
      found = truths.select(rows, from, count, mask, target, found);
    }
    return found;
  }
}
