package io.millrace.exec.kernel.cast;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.Output;

/** A conversion whose values may not fit: an error that shows the value, or null when safe. */
abstract class CastBlock extends BlockKernel {
  private final CastRequest request;
  private final boolean[] failed = new boolean[Lane.BLOCK_ROWS];

  CastBlock(CastRequest request, Lane input, Output output) {
    super(output, input);
    this.request = request;
  }

  @Override
  protected final boolean compute(int count) {
    boolean any = false;
    for (int lane = 0; lane < count; lane++) {
      boolean fails = !convert(lane);
      failed[lane] = fails;
      any |= fails;
    }
    return any;
  }

  /** Converts an element; gives whether it fits. */
  abstract boolean convert(int lane);

  /** The value of an element as text. */
  abstract String describe(int lane);

  @Override
  protected final boolean isFaulty(int lane) {
    return failed[lane];
  }

  @Override
  protected final MillraceException fault(int lane) {
    return failure(describe(lane), request.from(), request.to());
  }

  @Override
  protected final boolean faultGivesNull() {
    return request.safe();
  }

  /** The error of a value that the target type cannot hold. */
  static MillraceException failure(String value, DataType from, DataType to) {
    String shown = value.length() <= 100 ? value : value.substring(0, 100) + "…";
    return new MillraceException(
        ErrorCode.INVALID_CAST,
        "A value cannot be converted; use try_cast to get null instead: "
            + (from instanceof DataType.Text ? "'" + shown + "'" : shown)
            + " ("
            + from
            + ") to "
            + to);
  }
}
