package io.millrace.exec.kernel.string;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.TextBlockKernel;
import io.millrace.exec.kernel.lane.TextLane;
import io.millrace.exec.kernel.lane.TextOutput;

/** All texts one after the other. */
final class ConcatKernel extends TextBlockKernel {
  private final TextLane[] inputs;

  private ConcatKernel(TextLane[] inputs) {
    super(DataType.STRING, inputs);
    this.inputs = inputs;
  }

  static ConcatKernel of(int argumentCount) {
    TextLane[] inputs = new TextLane[argumentCount];
    for (int index = 0; index < argumentCount; index++) {
      inputs[index] = new TextLane();
    }
    return new ConcatKernel(inputs);
  }

  @Override
  protected boolean append(int lane, TextOutput output) {
    for (TextLane input : inputs) {
      output.append(input.data(), input.starts()[lane], input.lengths()[lane]);
    }
    return true;
  }
}
