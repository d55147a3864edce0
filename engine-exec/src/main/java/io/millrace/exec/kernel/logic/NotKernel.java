package io.millrace.exec.kernel.logic;

import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanLane;
import io.millrace.exec.kernel.lane.BooleanOutput;

/** The opposite truth. */
final class NotKernel extends BlockKernel {
  private final byte[] value;
  private final byte[] truths;

  NotKernel() {
    this(new BooleanLane(), new BooleanOutput());
  }

  private NotKernel(BooleanLane input, BooleanOutput output) {
    super(output, input);
    this.value = input.values();
    this.truths = output.values();
  }

  @Override
  protected boolean compute(int count) {
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) (value[lane] ^ 1);
    }
    return false;
  }
}
