package io.millrace.core.plan;

import io.millrace.core.type.DataType;
import java.util.List;
import java.util.Optional;

/**
 * A resolved, typed expression over the columns of one input. Arguments already have the types that
 * the function's signature asks for: casts are explicit.
 */
public sealed interface PhysicalExpression {

  /** The type of the result. */
  DataType type();

  /** A column of the input by position. */
  record Input(int index, DataType type) implements PhysicalExpression {
    @Override
    public String toString() {
      return "$" + index;
    }
  }

  /**
   * A constant; null for NULL. The value's class is the one that {@code FlatVector.valueAt} gives
   * for the type.
   */
  record Constant(Object value, DataType type) implements PhysicalExpression {
    @Override
    public String toString() {
      return value instanceof String text ? "'" + text + "'" : String.valueOf(value);
    }
  }

  /** A scalar function by its registered name. */
  record Call(String function, List<PhysicalExpression> arguments, DataType type)
      implements PhysicalExpression {
    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public String toString() {
      return function + ExpressionText.list(arguments);
    }
  }

  /** Conversion; when safe, a value that does not fit becomes null, else it is an error. */
  record Cast(PhysicalExpression input, DataType type, boolean safe) implements PhysicalExpression {
    @Override
    public String toString() {
      return (safe ? "try_cast(" : "cast(") + input + " as " + type + ")";
    }
  }

  /**
   * Kleene AND or OR over booleans. A later argument is evaluated only for rows that the earlier
   * ones leave undecided.
   */
  record Logical(boolean conjunction, List<PhysicalExpression> arguments)
      implements PhysicalExpression {
    public Logical {
      arguments = List.copyOf(arguments);
    }

    @Override
    public DataType type() {
      return DataType.BOOLEAN;
    }

    @Override
    public String toString() {
      return (conjunction ? "and" : "or") + ExpressionText.list(arguments);
    }
  }

  /** The first branch whose condition is true; NULL without one and without otherwise. */
  record CaseWhen(List<Branch> branches, Optional<PhysicalExpression> otherwise, DataType type)
      implements PhysicalExpression {
    public CaseWhen {
      branches = List.copyOf(branches);
    }

    @Override
    public String toString() {
      return "case(" + branches + otherwise.map(value -> ", else " + value).orElse("") + ")";
    }
  }

  /** One WHEN; evaluated only for rows that no earlier branch took. */
  record Branch(PhysicalExpression condition, PhysicalExpression value) {
    @Override
    public String toString() {
      return condition + " -> " + value;
    }
  }

  /** The first argument that is not null; later ones are evaluated only for the rows still null. */
  record Coalesce(List<PhysicalExpression> arguments, DataType type) implements PhysicalExpression {
    public Coalesce {
      arguments = List.copyOf(arguments);
    }

    @Override
    public String toString() {
      return "coalesce" + ExpressionText.list(arguments);
    }
  }

  /**
   * Membership in a set of constants of the value's type, with SQL's null rules: NULL when the
   * value is null, or when it is not found and a candidate is null.
   */
  record InSet(PhysicalExpression value, List<Object> candidates, boolean hasNull, boolean negated)
      implements PhysicalExpression {
    public InSet {
      candidates = List.copyOf(candidates);
    }

    @Override
    public DataType type() {
      return DataType.BOOLEAN;
    }

    @Override
    public String toString() {
      return value + (negated ? " not in " : " in ") + ExpressionText.abbreviated(candidates);
    }
  }

  /** A member of a struct; null when the struct is null. */
  record FieldAccess(PhysicalExpression input, int index, DataType type)
      implements PhysicalExpression {
    @Override
    public String toString() {
      return input + "." + index;
    }
  }
}
