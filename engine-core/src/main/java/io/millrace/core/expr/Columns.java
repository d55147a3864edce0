package io.millrace.core.expr;

import io.millrace.core.type.DataType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Static entry points for expressions; meant for {@code import static}. */
public final class Columns {
  private Columns() {}

  /** A column by name. */
  public static Column col(String name) {
    return Column.named(name);
  }

  /** A constant of the type that follows from the value's class. */
  public static Column lit(Object value) {
    return Column.of(value);
  }

  /** A constant of the given type; null for NULL of that type. */
  public static Column lit(Object value, DataType type) {
    return new Column(new Expr.Literal(value, Optional.of(type)));
  }

  /** A value given when the query runs. */
  public static Column parameter(String name) {
    return new Column(new Expr.Parameter(name));
  }

  /** Any scalar function of the registry. */
  public static Column call(String function, Object... arguments) {
    return new Column(
        new Expr.Call(
            function,
            Arrays.stream(arguments).map(value -> Column.of(value).expr()).toList(),
            Map.of()));
  }

  public static Column count() {
    return aggregate("count");
  }

  /** Rows in which the value is not null. */
  public static Column count(Column value) {
    return aggregate("count", value);
  }

  public static Column countDistinct(Column value) {
    return new Column(
        new Expr.AggregateCall("count", List.of(value.expr()), true, Optional.empty()));
  }

  public static Column sum(Column value) {
    return aggregate("sum", value);
  }

  public static Column avg(Column value) {
    return aggregate("avg", value);
  }

  public static Column min(Column value) {
    return aggregate("min", value);
  }

  public static Column max(Column value) {
    return aggregate("max", value);
  }

  /** Any aggregate function of the registry. */
  public static Column aggregate(String function, Column... arguments) {
    return new Column(
        new Expr.AggregateCall(
            function,
            Arrays.stream(arguments).map(Column::expr).toList(),
            false,
            Optional.empty()));
  }

  /** The value where the condition is true; continue with {@link When#when} or otherwise. */
  public static When when(Column condition, Object value) {
    return new When(List.of(new Expr.Branch(condition.expr(), Column.of(value).expr())));
  }

  /** An unfinished CASE. */
  public record When(List<Expr.Branch> branches) {
    public When when(Column condition, Object value) {
      List<Expr.Branch> more = new java.util.ArrayList<>(branches);
      more.add(new Expr.Branch(condition.expr(), Column.of(value).expr()));
      return new When(List.copyOf(more));
    }

    public Column otherwise(Object value) {
      return new Column(new Expr.CaseWhen(branches, Optional.of(Column.of(value).expr())));
    }

    /** NULL where no condition is true. */
    public Column end() {
      return new Column(new Expr.CaseWhen(branches, Optional.empty()));
    }
  }
}
