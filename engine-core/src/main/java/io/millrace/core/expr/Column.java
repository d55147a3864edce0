package io.millrace.core.expr;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A thin wrapper of {@link Expr} with the calls that users write. Nothing is checked here; the
 * DataFrame that takes the column resolves it, and names the nearest columns and functions when it
 * cannot. Arguments of type Object are Columns or plain Java values.
 */
public final class Column {
  private final Expr expr;

  public Column(Expr expr) {
    this.expr = expr;
  }

  public Expr expr() {
    return expr;
  }

  /** The column named in the given scope, {@code alias.name} when qualified. */
  public static Column named(String name) {
    return new Column(new Expr.ColumnReference(Optional.empty(), name));
  }

  /** A Column as it is, any other value as a literal. */
  public static Column of(Object value) {
    return value instanceof Column column
        ? column
        : new Column(new Expr.Literal(value, Optional.empty()));
  }

  /** This value as first argument of the named function. */
  public Column call(String function, Object... others) {
    List<Expr> arguments = new ArrayList<>();
    arguments.add(expr);
    Arrays.stream(others).map(other -> of(other).expr()).forEach(arguments::add);
    return new Column(new Expr.Call(function, arguments, Map.of()));
  }

  private Column callNamed(String function, Map<String, Expr> named) {
    return new Column(new Expr.Call(function, List.of(expr), named));
  }

  public Column as(String name) {
    return new Column(new Expr.Alias(expr, name));
  }

  public Column cast(DataType type) {
    return new Column(new Expr.Cast(expr, type, false));
  }

  /** Like {@link #cast}; a value that does not fit becomes null. */
  public Column tryCast(DataType type) {
    return new Column(new Expr.Cast(expr, type, true));
  }

  /** A member of this struct. */
  public Column field(String name) {
    return new Column(new Expr.FieldAccess(expr, name));
  }

  public Column eq(Object other) {
    return call("eq", other);
  }

  public Column ne(Object other) {
    return call("ne", other);
  }

  public Column lt(Object other) {
    return call("lt", other);
  }

  public Column le(Object other) {
    return call("le", other);
  }

  public Column gt(Object other) {
    return call("gt", other);
  }

  public Column ge(Object other) {
    return call("ge", other);
  }

  /** Null equals null here. */
  public Column eqNullSafe(Object other) {
    return call("is_not_distinct_from", other);
  }

  public Column between(Object low, Object high) {
    return ge(low).and(le(high));
  }

  public Column isIn(Object... candidates) {
    return new Column(
        new Expr.In(
            expr, Arrays.stream(candidates).map(value -> of(value).expr()).toList(), false));
  }

  public Column and(Object other) {
    return call("and", other);
  }

  public Column or(Object other) {
    return call("or", other);
  }

  public Column not() {
    return call("not");
  }

  public Column isNull() {
    return call("is_null");
  }

  public Column isNotNull() {
    return call("is_not_null");
  }

  public Column plus(Object other) {
    return call("add", other);
  }

  public Column minus(Object other) {
    return call("subtract", other);
  }

  public Column times(Object other) {
    return call("multiply", other);
  }

  public Column dividedBy(Object other) {
    return call("divide", other);
  }

  public Column modulo(Object other) {
    return call("mod", other);
  }

  public Column negate() {
    return call("negate");
  }

  public Column like(String pattern) {
    return call("like", pattern);
  }

  public Column upper() {
    return call("upper");
  }

  public Column lower() {
    return call("lower");
  }

  public Column length() {
    return call("length");
  }

  /** Image from encoded bytes; a value that cannot be decoded is an error. */
  public Column decodeImage() {
    return call("decode_image");
  }

  /** Image from encoded bytes; {@code onError} is {@code "raise"} or {@code "null"}. */
  public Column decodeImage(String onError) {
    return callNamed("decode_image", Map.of("on_error", of(onError).expr()));
  }

  /** This image stretched to the given size in pixels. */
  public Column resize(int width, int height) {
    return call("resize", width, height);
  }

  /** This image as bytes of the given format, for example {@code "JPEG"}. */
  public Column encodeImage(String format) {
    return call("encode_image", format);
  }

  /** Euclidean distance to another vector. */
  public Column l2Distance(Object other) {
    return call("l2_distance", other);
  }

  /** One minus the cosine of the angle to another vector. */
  public Column cosineDistance(Object other) {
    return call("cosine_distance", other);
  }

  /**
   * This aggregate, or this call of a window function such as {@code call("rank")}, over a window.
   *
   * @throws MillraceException INVALID_ARGUMENT when this is neither
   */
  public Column over(Window window) {
    return over(window, false);
  }

  /** As {@link #over}, passing over rows whose value is null. */
  public Column overIgnoringNulls(Window window) {
    return over(window, true);
  }

  private Column over(Window window, boolean ignoreNulls) {
    return switch (expr) {
      case Expr.AggregateCall call ->
          new Column(
              new Expr.Over(
                  call.function(),
                  call.arguments(),
                  call.distinct(),
                  ignoreNulls,
                  call.filter(),
                  window));
      case Expr.Call call when call.namedArguments().isEmpty() ->
          new Column(
              new Expr.Over(
                  call.function(), call.arguments(), false, ignoreNulls, Optional.empty(), window));
      default ->
          throw new MillraceException(
              ErrorCode.INVALID_ARGUMENT, "Only functions stand over a window: " + expr);
    };
  }

  public SortKey ascending() {
    return new SortKey(this, false, Optional.empty());
  }

  public SortKey descending() {
    return new SortKey(this, true, Optional.empty());
  }

  @Override
  public String toString() {
    return expr.toString();
  }
}
