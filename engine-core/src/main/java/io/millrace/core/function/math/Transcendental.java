package io.millrace.core.function.math;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.NullPolicy;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import java.util.List;

/** Roots, powers, logarithms and angles, over float64; outside of a domain the result is NaN. */
public final class Transcendental implements FunctionFamily {
  private static final ResultType FLOAT64 = ResultType.always(DataType.FLOAT64);
  private static final Signature ONE =
      Signature.of(FLOAT64, Parameter.of("value", TypePattern.FLOAT64));
  private static final Signature TWO =
      Signature.of(
          FLOAT64,
          Parameter.of("left", TypePattern.FLOAT64),
          Parameter.of("right", TypePattern.FLOAT64));

  @Override
  public String name() {
    return "transcendental";
  }

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.scalar("sqrt", "The square root.", ONE).example("SQRT(4)", "2.0"),
        FunctionDefinition.scalar("exp", "e to this power.", ONE).example("EXP(0)", "1.0"),
        FunctionDefinition.scalar("ln", "The natural logarithm.", ONE).example("LN(1)", "0.0"),
        FunctionDefinition.scalar("log10", "The logarithm to base 10.", ONE)
            .example("LOG10(100)", "2.0"),
        FunctionDefinition.scalar("power", "The first value to the power of the second.", TWO)
            .alias("pow")
            .example("POWER(2, 10)", "1024.0"),
        FunctionDefinition.scalar("sin", "The sine of an angle in radians.", ONE)
            .example("SIN(0)", "0.0"),
        FunctionDefinition.scalar("cos", "The cosine of an angle in radians.", ONE)
            .example("COS(0)", "1.0"),
        FunctionDefinition.scalar("tan", "The tangent of an angle in radians.", ONE)
            .example("TAN(0)", "0.0"),
        FunctionDefinition.scalar("atan2", "The angle of the point (right, left).", TWO)
            .example("ATAN2(0, 1)", "0.0"),
        FunctionDefinition.scalar(
                "is_nan",
                "Whether the value is NaN; null for null.",
                Signature.of(
                    ResultType.always(DataType.BOOLEAN),
                    Parameter.of("value", TypePattern.FLOAT64)))
            .nulls(NullPolicy.NULL_ON_NULL)
            .example("IS_NAN(SQRT(-1))", "true"));
  }
}
