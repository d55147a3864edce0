package io.millrace.core.function.logic;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.NullPolicy;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import java.util.List;

/**
 * Comparisons: NaN equals NaN and is greater than any number, −0.0 equals 0.0, text by code point.
 */
public final class Comparison implements FunctionFamily {
  private static final Signature PAIR =
      Signature.ofCommonType(
          ResultType.always(DataType.BOOLEAN),
          Parameter.of("left", TypePattern.ANY),
          Parameter.of("right", TypePattern.ANY));

  @Override
  public String name() {
    return "comparison";
  }

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.scalar("eq", "Whether two values are equal.", PAIR)
            .example("2 = 2.0", "true"),
        FunctionDefinition.scalar("ne", "Whether two values differ.", PAIR)
            .example("'a' <> 'b'", "true"),
        FunctionDefinition.scalar("lt", "Whether the left value is less.", PAIR)
            .example("1 < 2", "true"),
        FunctionDefinition.scalar("le", "Whether the left value is less or equal.", PAIR)
            .example("2 <= 2", "true"),
        FunctionDefinition.scalar("gt", "Whether the left value is greater.", PAIR)
            .example("1 > 2", "false"),
        FunctionDefinition.scalar("ge", "Whether the left value is greater or equal.", PAIR)
            .example("2 >= 2", "true"),
        FunctionDefinition.scalar(
                "is_distinct_from", "Whether two values differ; null equals null.", PAIR)
            .nulls(NullPolicy.NEVER_NULL)
            .example("1 IS DISTINCT FROM NULL", "true"),
        FunctionDefinition.scalar(
                "is_not_distinct_from", "Whether two values are equal; null equals null.", PAIR)
            .nulls(NullPolicy.NEVER_NULL)
            .example("NULL IS NOT DISTINCT FROM NULL", "true"));
  }
}
