package io.millrace.core.expr;

import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a user wrote, unresolved: names are not bound and types not known. The planner resolves and
 * types an expression when a DataFrame is built from it.
 */
public sealed interface Expr {

  /** A column by name; with a qualifier, of the table of that alias. */
  record ColumnReference(Optional<String> qualifier, String name) implements Expr {}

  /** A member of a struct value. */
  record FieldAccess(Expr input, String field) implements Expr {}

  /**
   * A constant.
   *
   * @param value a Java value as {@code FlatVector.valueAt} gives; null for NULL
   * @param type empty when it follows from the value's class
   */
  record Literal(Object value, Optional<DataType> type) implements Expr {}

  /** A value given when the query runs, {@code :name} in SQL. */
  record Parameter(String name) implements Expr {}

  /** A scalar function by name or alias; operators are functions too ({@code add}, {@code eq}). */
  record Call(String function, List<Expr> arguments, Map<String, Expr> namedArguments)
      implements Expr {
    public Call {
      arguments = List.copyOf(arguments);
      namedArguments = Map.copyOf(namedArguments);
    }
  }

  /** Conversion; when safe, a value that does not fit becomes null, else it is an error. */
  record Cast(Expr input, DataType type, boolean safe) implements Expr {}

  /** The first branch whose condition is true; {@code otherwise} is empty for NULL. */
  record CaseWhen(List<Branch> branches, Optional<Expr> otherwise) implements Expr {
    public CaseWhen {
      branches = List.copyOf(branches);
    }
  }

  /** One WHEN of a CASE. */
  record Branch(Expr condition, Expr value) {}

  /** Membership with SQL's null rules. */
  record In(Expr value, List<Expr> candidates, boolean negated) implements Expr {
    public In {
      candidates = List.copyOf(candidates);
    }
  }

  /** A user-defined function called with arguments. */
  record UdfCall(UserFunction function, List<Expr> arguments) implements Expr {
    public UdfCall {
      arguments = List.copyOf(arguments);
    }
  }

  /** An aggregate function; {@code filter} keeps the rows it counts. */
  record AggregateCall(
      String function, List<Expr> arguments, boolean distinct, Optional<Expr> filter)
      implements Expr {
    public AggregateCall {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * A window function or an aggregate over the rows of a window.
   *
   * @param ignoreNulls whether rows with a null first argument are passed over
   * @param filter the rows that an aggregate counts
   */
  record Over(
      String function,
      List<Expr> arguments,
      boolean distinct,
      boolean ignoreNulls,
      Optional<Expr> filter,
      Window window)
      implements Expr {
    public Over {
      arguments = List.copyOf(arguments);
    }
  }

  /** An expression with an output name. */
  record Alias(Expr input, String name) implements Expr {}

  /** Every column of the input. */
  record Star() implements Expr {}
}
