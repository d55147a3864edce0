package io.millrace.core.function.math;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.NumericResults;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * The four operations, remainder and sign change. Overflow of exact types and exact division by
 * zero are errors, null in the {@code try_} forms; integers divide towards zero; floats follow IEEE
 * 754.
 */
public final class Arithmetic implements FunctionFamily {
  private static final TypePattern DATE_LIKE =
      TypePattern.matching(
          "date or timestamp",
          DataType.DATE,
          type -> type instanceof DataType.Date || type instanceof DataType.Timestamp);
  private static final TypePattern INTERVAL = TypePattern.of(DataType.INTERVAL);

  @Override
  public String name() {
    return "arithmetic";
  }

  private static List<Signature> numeric(ResultType exact) {
    return List.of(
        Signature.ofCommonType(
            ResultType.argument(0),
            Parameter.of("left", TypePattern.INTEGER),
            Parameter.of("right", TypePattern.INTEGER)),
        Signature.of(
            exact,
            Parameter.of("left", NumericResults.EXACT),
            Parameter.of("right", NumericResults.EXACT)),
        Signature.ofCommonType(
            ResultType.argument(0),
            Parameter.of("left", NumericResults.FLOAT),
            Parameter.of("right", NumericResults.FLOAT)));
  }

  private static Signature[] withTemporal(ResultType exact, boolean intervalFirst) {
    List<Signature> all = new ArrayList<>(numeric(exact));
    all.add(
        Signature.of(
            ResultType.argument(0),
            Parameter.of("left", DATE_LIKE),
            Parameter.of("right", INTERVAL)));
    all.add(
        Signature.of(
            ResultType.always(DataType.INTERVAL),
            Parameter.of("left", INTERVAL),
            Parameter.of("right", INTERVAL)));
    if (intervalFirst) {
      all.add(
          Signature.of(
              ResultType.argument(1),
              Parameter.of("left", INTERVAL),
              Parameter.of("right", DATE_LIKE)));
    } else {
      all.add(
          Signature.of(
              ResultType.always(DataType.INT64),
              Parameter.of("left", TypePattern.of(DataType.DATE)),
              Parameter.of("right", TypePattern.of(DataType.DATE))));
      all.add(
          Signature.ofCommonType(
              ResultType.always(DataType.INTERVAL),
              Parameter.of("left", DATE_LIKE),
              Parameter.of("right", DATE_LIKE)));
    }
    return all.toArray(Signature[]::new);
  }

  private static Signature[] withIntervals(ResultType exact) {
    List<Signature> all = new ArrayList<>(numeric(exact));
    ResultType interval = ResultType.always(DataType.INTERVAL);
    Parameter left = Parameter.of("left", INTERVAL);
    Parameter right = Parameter.of("right", INTERVAL);
    all.add(Signature.of(interval, left, Parameter.of("right", TypePattern.INT64)));
    all.add(Signature.of(interval, Parameter.of("left", TypePattern.INT64), right));
    return all.toArray(Signature[]::new);
  }

  private static Signature[] array(ResultType exact) {
    return numeric(exact).toArray(Signature[]::new);
  }

  private static final Signature SAME =
      Signature.of(ResultType.argument(0), Parameter.of("value", TypePattern.NUMERIC));

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.scalar(
                "add",
                "The sum; a date or timestamp moved by an interval.",
                withTemporal(NumericResults.SUM, true))
            .example("1 + 2", "3")
            .example("1.5 + 2", "3.5"),
        FunctionDefinition.scalar(
                "subtract",
                "The difference; a date or timestamp moved back by an interval; the days between"
                    + " dates.",
                withTemporal(NumericResults.SUM, false))
            .example("1 - 2", "-1"),
        FunctionDefinition.scalar(
                "multiply",
                "The product; an interval so many times.",
                withIntervals(NumericResults.PRODUCT))
            .example("1.5 * 1.5", "2.25"),
        FunctionDefinition.scalar(
                "divide",
                "The quotient; integers divide towards zero.",
                array(NumericResults.QUOTIENT))
            .example("7 / 2", "3"),
        FunctionDefinition.scalar(
                "mod",
                "The remainder, with the sign of the dividend.",
                array(NumericResults.REMAINDER))
            .example("MOD(-7, 2)", "-1"),
        FunctionDefinition.scalar("negate", "The value with the opposite sign.", SAME)
            .example("-(2)", "-2"),
        FunctionDefinition.scalar(
                "try_add", "The sum; null on overflow.", array(NumericResults.SUM))
            .example("TRY_ADD(1, 2)", "3"),
        FunctionDefinition.scalar(
                "try_subtract", "The difference; null on overflow.", array(NumericResults.SUM))
            .example("TRY_SUBTRACT(1, 2)", "-1"),
        FunctionDefinition.scalar(
                "try_multiply", "The product; null on overflow.", array(NumericResults.PRODUCT))
            .example("TRY_MULTIPLY(2, 3)", "6"),
        FunctionDefinition.scalar(
                "try_divide",
                "The quotient; null on division by zero or overflow.",
                array(NumericResults.QUOTIENT))
            .example("TRY_DIVIDE(1, 0)", "NULL"));
  }
}
