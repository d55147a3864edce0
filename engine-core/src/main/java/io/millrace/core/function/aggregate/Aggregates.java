package io.millrace.core.function.aggregate;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * Aggregates. Nulls are left out; over no values the result is null, but 0 for {@code count}. The
 * sum of int8 to int32 is int64, of 64-bit integers decimal(38, 0), of decimals decimal(38, s); an
 * overflow is an error.
 */
public final class Aggregates implements FunctionFamily {
  private static final ResultType SUM = (arguments, constants) -> sumType(arguments.get(0));
  private static final ResultType FLOAT64 = ResultType.always(DataType.FLOAT64);
  private static final Parameter NUMBER = Parameter.of("value", TypePattern.NUMERIC);
  private static final Parameter ANY = Parameter.of("value", TypePattern.ANY);
  private static final Parameter TEXT = Parameter.of("value", TypePattern.STRING);
  private static final Parameter SEPARATOR = Parameter.of("separator", TypePattern.STRING);
  private static final Parameter FRACTION = Parameter.of("fraction", TypePattern.FLOAT64);
  private static final Parameter TRUTH = Parameter.of("value", TypePattern.BOOLEAN);

  @Override
  public String name() {
    return "aggregate";
  }

  /** The type of a sum over values of this type. */
  public static DataType sumType(DataType type) {
    return switch (type) {
      case DataType.Int integer -> integer.bits() < 64 ? DataType.INT64 : DataType.decimal(38, 0);
      case DataType.Decimal decimal -> DataType.decimal(38, decimal.scale());
      default -> DataType.FLOAT64;
    };
  }

  private static FunctionDefinition same(String name, String summary, Parameter parameter) {
    return FunctionDefinition.aggregate(
        name,
        summary,
        (arguments, result) -> List.of(result),
        Signature.of(ResultType.argument(0), parameter));
  }

  private static FunctionDefinition spread(String name, String summary) {
    return FunctionDefinition.aggregate(
        name,
        summary,
        (arguments, result) -> List.of(DataType.INT64, DataType.FLOAT64, DataType.FLOAT64),
        Signature.of(FLOAT64, Parameter.of("value", TypePattern.FLOAT64)));
  }

  private static FunctionDefinition pair(String name, String summary) {
    Parameter first = Parameter.of("y", TypePattern.FLOAT64);
    Parameter second = Parameter.of("x", TypePattern.FLOAT64);
    return FunctionDefinition.aggregate(
        name,
        summary,
        (arguments, result) ->
            List.of(
                DataType.INT64,
                DataType.FLOAT64,
                DataType.FLOAT64,
                DataType.FLOAT64,
                DataType.FLOAT64,
                DataType.FLOAT64),
        Signature.of(FLOAT64, first, second));
  }

  private static FunctionDefinition bits(String name, String summary) {
    return same(name, summary, Parameter.of("value", TypePattern.INTEGER));
  }

  private static FunctionDefinition median() {
    return FunctionDefinition.aggregate(
        "median",
        "The middle value, or the mean of the two middle ones.",
        (arguments, result) -> List.of(DataType.list(arguments.get(0)), DataType.FLOAT64),
        Signature.of(FLOAT64, Parameter.of("value", TypePattern.FLOAT64)));
  }

  /** Functions of two numbers. */
  private static List<FunctionDefinition> pairs() {
    return List.of(
        pair("covar_pop", "The covariance of the population."),
        pair("covar_samp", "The covariance of the sample."),
        pair("corr", "The correlation; null when a side does not vary."),
        pair("regr_slope", "The slope of the line that fits y by x best."),
        pair("regr_intercept", "Where that line meets x = 0."),
        pair("regr_r2", "The share of the variance that the line explains."),
        pair("regr_avgx", "The mean of x over pairs without null."),
        pair("regr_avgy", "The mean of y over pairs without null."),
        pair("regr_sxx", "The sum of squared differences of x from its mean."),
        pair("regr_syy", "The sum of squared differences of y from its mean."),
        pair("regr_sxy", "The sum of products of the differences from the means."),
        FunctionDefinition.aggregate(
            "regr_count",
            "Number of pairs without null.",
            (arguments, result) -> List.of(DataType.INT64),
            Signature.of(
                ResultType.always(DataType.INT64),
                Parameter.of("y", TypePattern.FLOAT64),
                Parameter.of("x", TypePattern.FLOAT64))));
  }

  @Override
  public List<FunctionDefinition> definitions() {
    List<FunctionDefinition> all = new ArrayList<>(basic());
    all.add(median());
    all.addAll(pairs());
    return all;
  }

  private static List<FunctionDefinition> basic() {
    return List.of(
        FunctionDefinition.aggregate(
            "count",
            "Number of rows, or of values that are not null.",
            (arguments, result) -> List.of(DataType.INT64),
            Signature.of(ResultType.always(DataType.INT64)),
            Signature.of(ResultType.always(DataType.INT64), ANY)),
        FunctionDefinition.aggregate(
            "sum", "The sum.", (arguments, result) -> List.of(result), Signature.of(SUM, NUMBER)),
        FunctionDefinition.aggregate(
                "avg",
                "The mean, as float64.",
                (arguments, result) -> List.of(sumType(arguments.get(0)), DataType.INT64),
                Signature.of(FLOAT64, NUMBER))
            .alias("mean"),
        same("min", "The least value.", ANY),
        same("max", "The greatest value.", ANY),
        bits("bit_and", "The bits that all values have."),
        bits("bit_or", "The bits that any value has."),
        bits("bit_xor", "The bits that an odd number of values has."),
        same("any_value", "Any value that is not null.", ANY),
        FunctionDefinition.aggregate(
            "single_value",
            "The value of a group's one row, null or not; more rows are an error.",
            (arguments, result) -> List.of(result, DataType.INT64),
            Signature.of(ResultType.argument(0), ANY)),
        FunctionDefinition.aggregate(
                "array_agg",
                "A list of all values, nulls too; in the order that ORDER BY in the call says.",
                (arguments, result) -> List.of(result),
                Signature.of((arguments, constants) -> DataType.list(arguments.get(0)), ANY))
            .alias("list"),
        FunctionDefinition.aggregate(
                "string_agg",
                "The texts joined by a separator, which is the same for all rows.",
                (arguments, result) -> List.of(DataType.list(DataType.STRING), DataType.STRING),
                Signature.of(ResultType.always(DataType.STRING), TEXT),
                Signature.of(ResultType.always(DataType.STRING), TEXT, SEPARATOR))
            .alias("listagg", "group_concat"),
        FunctionDefinition.aggregate(
                "percentile_cont",
                "The value at a fraction of the sorted values, between two if need be.",
                (arguments, result) -> List.of(DataType.list(arguments.get(0)), DataType.FLOAT64),
                Signature.of(FLOAT64, Parameter.of("value", TypePattern.FLOAT64), FRACTION))
            .alias("quantile_cont"),
        FunctionDefinition.aggregate(
                "percentile_disc",
                "The first of the sorted values whose share of all reaches a fraction.",
                (arguments, result) -> List.of(DataType.list(arguments.get(0)), DataType.FLOAT64),
                Signature.of(ResultType.argument(0), ANY, FRACTION))
            .alias("quantile_disc"),
        same("bool_and", "Whether all values are true.", TRUTH).alias("every"),
        same("bool_or", "Whether any value is true.", TRUTH).alias("some"),
        spread("var_pop", "The variance of the population."),
        spread("var_samp", "The variance of the sample.").alias("variance"),
        spread("stddev_pop", "The standard deviation of the population."),
        spread("stddev_samp", "The standard deviation of the sample.").alias("stddev"));
  }
}
