package io.millrace.planner.dataframe;

import io.millrace.core.expr.Column;
import java.util.List;

/**
 * What rows of two DataFrames must share to be joined. Meant for {@code import static
 * io.millrace.planner.dataframe.JoinOn.on}.
 */
public sealed interface JoinOn {

  /** Columns that both sides have under the same name; the result has each once, first. */
  record Using(List<String> names) implements JoinOn {
    public Using {
      names = List.copyOf(names);
    }
  }

  /** Any condition; columns of both sides stay. Ambiguous names are qualified by alias. */
  record Condition(Column condition) implements JoinOn {}

  /** Equality of the columns of these names. */
  static JoinOn on(String... names) {
    return new Using(List.of(names));
  }

  /** A condition over the columns of both sides. */
  static JoinOn on(Column condition) {
    return new Condition(condition);
  }
}
