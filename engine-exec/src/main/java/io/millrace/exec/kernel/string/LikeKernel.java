package io.millrace.exec.kernel.string;

import io.millrace.core.error.MillraceException;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.TextLane;

/** LIKE; a pattern is compiled when it changes from one row to the next. */
final class LikeKernel extends BlockKernel {
  private final int escape;
  private final TextLane input;
  private final TextLane patterns;
  private final byte[] truths;
  private String compiledText;
  private LikePattern compiled;

  /**
   * @param escape a code point, −1 for none
   */
  LikeKernel(int escape) {
    this(escape, new TextLane(), new TextLane(), new BooleanOutput());
  }

  private LikeKernel(int escape, TextLane input, TextLane patterns, BooleanOutput output) {
    super(output, input, patterns);
    this.escape = escape;
    this.input = input;
    this.patterns = patterns;
    this.truths = output.values();
  }

  private LikePattern patternOf(int lane) {
    String text = Utf8.text(patterns.data(), patterns.starts()[lane], patterns.lengths()[lane]);
    if (!text.equals(compiledText)) {
      compiled = LikePattern.compile(text, escape);
      compiledText = text;
    }
    return compiled;
  }

  @Override
  protected boolean compute(int count) {
    boolean failed = false;
    LikePattern pattern = null;
    for (int lane = 0; lane < count; lane++) {
      if (lane == 0 || !patterns.isConstant()) {
        try {
          pattern = patternOf(lane);
        } catch (MillraceException fault) {
          pattern = null;
        }
      }
      failed |= pattern == null;
      boolean fits =
          pattern != null
              && pattern.matches(input.data(), input.starts()[lane], input.lengths()[lane]);
      truths[lane] = (byte) (fits ? 1 : 0);
    }
    return failed;
  }

  @Override
  protected boolean isFaulty(int lane) {
    try {
      patternOf(lane);
      return false;
    } catch (MillraceException fault) {
      return true;
    }
  }

  @Override
  protected MillraceException fault(int lane) {
    try {
      patternOf(lane);
      throw new IllegalStateException("A pattern failed once only");
    } catch (MillraceException fault) {
      return fault;
    }
  }
}
