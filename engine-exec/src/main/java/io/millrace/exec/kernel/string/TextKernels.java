package io.millrace.exec.kernel.string;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.ScalarKernelFamily;
import java.util.Optional;

/** Kernels of the text functions. */
public final class TextKernels implements ScalarKernelFamily {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return switch (call.function()) {
      case "upper" -> Optional.of(new CaseKernel(true));
      case "lower" -> Optional.of(new CaseKernel(false));
      case "length" -> Optional.of(new LengthKernel(false));
      case "octet_length" -> Optional.of(new LengthKernel(true));
      case "substring" ->
          Optional.of(
              call.arguments().size() == 2
                  ? SubstringKernel.toTheEnd()
                  : SubstringKernel.withLength());
      case "concat" -> Optional.of(ConcatKernel.of(call.arguments().size()));
      case "trim" -> Optional.of(new TrimKernel(true, true));
      case "ltrim" -> Optional.of(new TrimKernel(true, false));
      case "rtrim" -> Optional.of(new TrimKernel(false, true));
      case "replace" -> Optional.of(new ReplaceKernel());
      case "position" -> Optional.of(new PositionKernel());
      case "starts_with" -> Optional.of(new PartTest(PartTest.Place.START));
      case "ends_with" -> Optional.of(new PartTest(PartTest.Place.END));
      case "contains" -> Optional.of(new PartTest(PartTest.Place.ANYWHERE));
      case "like" -> Optional.of(new LikeKernel(escape(call)));
      default -> Optional.empty();
    };
  }

  /** The code point of the third argument, which is a constant; −1 without one. */
  private static int escape(BoundCall call) {
    if (call.constants().size() < 3
        || !(call.constants().get(2).orElse(null) instanceof String escape)) {
      return -1;
    }
    if (escape.codePointCount(0, escape.length()) != 1) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "An escape of LIKE is one character: '" + escape + "'");
    }
    return escape.codePointAt(0);
  }
}
