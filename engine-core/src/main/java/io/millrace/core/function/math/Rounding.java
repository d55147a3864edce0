package io.millrace.core.function.math;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import java.util.List;

/** Absolute value, sign and rounding. */
public final class Rounding implements FunctionFamily {
  private static final Signature SAME =
      Signature.of(ResultType.argument(0), Parameter.of("value", TypePattern.NUMERIC));

  /** Whole numbers: decimals lose their scale, other types stay. */
  private static final Signature WHOLE =
      Signature.of(
          (arguments, constants) ->
              arguments.get(0) instanceof DataType.Decimal decimal
                  ? DataType.decimal(Math.min(38, decimal.precision() - decimal.scale() + 1), 0)
                  : arguments.get(0),
          Parameter.of("value", TypePattern.NUMERIC));

  @Override
  public String name() {
    return "rounding";
  }

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.scalar("abs", "The value without its sign.", SAME)
            .example("ABS(-2)", "2"),
        FunctionDefinition.scalar("sign", "−1, 0 or 1 by the sign of the value.", SAME)
            .example("SIGN(-2)", "-1"),
        FunctionDefinition.scalar("ceil", "The least whole number that is not less.", WHOLE)
            .alias("ceiling")
            .example("CEIL(1.2)", "2"),
        FunctionDefinition.scalar("floor", "The greatest whole number that is not greater.", WHOLE)
            .example("FLOOR(-1.2)", "-2"),
        FunctionDefinition.scalar(
                "round",
                "Rounded half away from zero to this many digits after the point.",
                Signature.of(
                    ResultType.argument(0),
                    Parameter.of("value", TypePattern.NUMERIC),
                    Parameter.option("digits", TypePattern.of(DataType.INT32), 0)))
            .example("ROUND(2.345, 2)", "2.350"),
        FunctionDefinition.scalar(
                "trunc",
                "Cut towards zero to this many digits after the point.",
                Signature.of(
                    ResultType.argument(0),
                    Parameter.of("value", TypePattern.NUMERIC),
                    Parameter.option("digits", TypePattern.of(DataType.INT32), 0)))
            .alias("truncate")
            .example("TRUNC(2.345, 1)", "2.300"));
  }
}
