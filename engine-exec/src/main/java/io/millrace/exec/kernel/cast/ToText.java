package io.millrace.exec.kernel.cast;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.TextBlockKernel;
import io.millrace.exec.kernel.lane.RowLane;
import io.millrace.exec.kernel.lane.TextOutput;

/** Conversion of any value to its text. */
final class ToText extends TextBlockKernel {
  private final ValueText form;
  private final RowLane input;
  private final StringBuilder text = new StringBuilder();

  ToText(DataType from) {
    this(from, new RowLane());
  }

  private ToText(DataType from, RowLane input) {
    super(DataType.STRING, input);
    this.form = ValueText.of(from);
    this.input = input;
  }

  @Override
  protected boolean append(int lane, TextOutput output) {
    text.setLength(0);
    form.append(input.flat(), input.rows()[lane], text);
    output.append(text.toString());
    return true;
  }
}
