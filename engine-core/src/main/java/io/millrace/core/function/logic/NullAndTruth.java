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
 * Tests for null and truth. {@code and}, {@code or} and {@code coalesce} are here for their names
 * and types; plans carry them as nodes that evaluate later arguments only where they are needed.
 */
public final class NullAndTruth implements FunctionFamily {
  private static final ResultType BOOLEAN = ResultType.always(DataType.BOOLEAN);
  private static final Signature ANY =
      Signature.of(BOOLEAN, Parameter.of("value", TypePattern.ANY));
  private static final Signature TRUTH =
      Signature.of(BOOLEAN, Parameter.of("value", TypePattern.BOOLEAN));
  private static final Signature TRUTHS =
      Signature.of(
              BOOLEAN,
              Parameter.of("left", TypePattern.BOOLEAN),
              Parameter.of("right", TypePattern.BOOLEAN))
          .asVariadic();

  @Override
  public String name() {
    return "logic";
  }

  private static FunctionDefinition test(String name, String summary, Signature signature) {
    return FunctionDefinition.scalar(name, summary, signature).nulls(NullPolicy.NEVER_NULL);
  }

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.scalar("and", "True when all are true; Kleene logic.", TRUTHS)
            .nulls(NullPolicy.CALLED_ON_NULL)
            .example("NULL AND FALSE", "false"),
        FunctionDefinition.scalar("or", "True when any is true; Kleene logic.", TRUTHS)
            .nulls(NullPolicy.CALLED_ON_NULL)
            .example("NULL OR TRUE", "true"),
        FunctionDefinition.scalar("not", "The opposite truth; null for null.", TRUTH)
            .example("NOT FALSE", "true"),
        test("is_null", "Whether the value is null.", ANY).example("NULL IS NULL", "true"),
        test("is_not_null", "Whether the value is not null.", ANY).example("1 IS NOT NULL", "true"),
        test("is_true", "Whether the value is true, not null.", TRUTH)
            .example("(1 = 1) IS TRUE", "true"),
        test("is_not_true", "Whether the value is false or null.", TRUTH)
            .example("(1 = 1) IS NOT TRUE", "false"),
        test("is_false", "Whether the value is false, not null.", TRUTH)
            .example("(1 = 1) IS FALSE", "false"),
        test("is_not_false", "Whether the value is true or null.", TRUTH)
            .example("(1 = 1) IS NOT FALSE", "true"),
        FunctionDefinition.scalar(
                "coalesce",
                "The first argument that is not null.",
                Signature.ofCommonType(
                        ResultType.argument(0), Parameter.of("value", TypePattern.ANY))
                    .asVariadic())
            .nulls(NullPolicy.CALLED_ON_NULL)
            .example("COALESCE(NULL, 2)", "2"),
        FunctionDefinition.scalar(
                "nullif",
                "Null when both values are equal, else the first.",
                Signature.ofCommonType(
                    ResultType.argument(0),
                    Parameter.of("value", TypePattern.ANY),
                    Parameter.of("other", TypePattern.ANY)))
            .nulls(NullPolicy.CALLED_ON_NULL)
            .example("NULLIF(1, 2)", "1"));
  }
}
