package io.millrace.exec.kernel;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.TextOutput;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** A kernel that gives null on null and otherwise text or binary, value by value. */
public abstract class TextBlockKernel implements ScalarKernel {
  private final DataType type;
  private final List<Lane> inputs;
  private final ValidityMask mask = new ValidityMask();

  /**
   * @param inputs one per argument
   */
  protected TextBlockKernel(DataType type, Lane... inputs) {
    this.type = type;
    this.inputs = List.of(inputs);
  }

  /** Called once per batch, after the inputs are bound and before the first block. */
  protected void begin() {}

  /**
   * Writes the bytes of one value; called only for rows that are not null.
   *
   * @return whether the value is not null
   */
  protected abstract boolean append(int lane, TextOutput output);

  @Override
  public final FlatVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    mask.reset(rows.length());
    for (int index = 0; index < inputs.size(); index++) {
      inputs.get(index).bind(arguments.get(index));
      mask.and(arguments.get(index));
    }
    begin();
    try (TextOutput output = new TextOutput(type, rows.length(), allocator)) {
      for (int from = 0; from < rows.count(); from += Lane.BLOCK_ROWS) {
        int count = Math.min(Lane.BLOCK_ROWS, rows.count() - from);
        for (Lane input : inputs) {
          input.load(rows, from, count);
        }
        for (int lane = 0; lane < count; lane++) {
          int row = rows.row(from + lane);
          output.begin(row);
          if (mask.isValid(row) && !append(lane, output)) {
            mask.clear(row);
          }
          output.end(row);
        }
      }
      return output.finish(mask);
    }
  }
}
