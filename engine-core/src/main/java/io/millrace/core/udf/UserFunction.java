package io.millrace.core.udf;

import io.millrace.core.expr.Column;
import io.millrace.core.expr.Expr;
import io.millrace.core.type.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A user-defined function: a name, the types it takes and gives, its code and how it is run.
 *
 * @param name shown in plans and errors; the SQL name once registered
 * @param argumentTypes one type per argument; values are cast to them implicitly where SQL would
 * @param resultType the type of the result column
 * @param implementation the code; must be serialisable by the engine (closures are)
 * @param options resources, batching and error handling
 */
public record UserFunction(
    String name,
    List<DataType> argumentTypes,
    DataType resultType,
    UdfImplementation implementation,
    UdfOptions options) {
  public UserFunction {
    Objects.requireNonNull(name, "name");
    argumentTypes = List.copyOf(argumentTypes);
    Objects.requireNonNull(resultType, "resultType");
    Objects.requireNonNull(implementation, "implementation");
    Objects.requireNonNull(options, "options");
  }

  /** A function of one value; called with null when the value is null. */
  public static <A, R> UserFunction scalar(
      String name, DataType argument, DataType result, ScalarFunctions.Of1<A, R> function) {
    return new UserFunction(
        name,
        List.of(argument),
        result,
        new UdfImplementation.Scalar(function),
        UdfOptions.DEFAULT);
  }

  /** A function of two values. */
  public static <A, B, R> UserFunction scalar(
      String name,
      DataType first,
      DataType second,
      DataType result,
      ScalarFunctions.Of2<A, B, R> function) {
    return new UserFunction(
        name,
        List.of(first, second),
        result,
        new UdfImplementation.Scalar(function),
        UdfOptions.DEFAULT);
  }

  /** A function of three values. */
  public static <A, B, C, R> UserFunction scalar(
      String name,
      DataType first,
      DataType second,
      DataType third,
      DataType result,
      ScalarFunctions.Of3<A, B, C, R> function) {
    return new UserFunction(
        name,
        List.of(first, second, third),
        result,
        new UdfImplementation.Scalar(function),
        UdfOptions.DEFAULT);
  }

  /** A function over whole batches without state. */
  public static UserFunction batch(
      String name, List<DataType> arguments, DataType result, BatchFunction function) {
    return new UserFunction(
        name, arguments, result, new UdfImplementation.Stateless(function), UdfOptions.DEFAULT);
  }

  /** A function with state: one instance per slot, opened once, always closed. */
  public static UserFunction stateful(
      String name, List<DataType> arguments, DataType result, StatefulFunction.Factory factory) {
    return new UserFunction(
        name, arguments, result, new UdfImplementation.Stateful(factory), UdfOptions.DEFAULT);
  }

  public UserFunction withOptions(UdfOptions newOptions) {
    return new UserFunction(name, argumentTypes, resultType, implementation, newOptions);
  }

  /** At most this many instances at once. */
  public UserFunction concurrency(int instances) {
    return withOptions(options.withConcurrency(instances));
  }

  /** At most this many rows per call. */
  public UserFunction batchRows(int rows) {
    return withOptions(options.withBatchRows(rows));
  }

  /** This function applied to columns. */
  public Column apply(Column... arguments) {
    return new Column(new Expr.UdfCall(this, Arrays.stream(arguments).map(Column::expr).toList()));
  }
}
