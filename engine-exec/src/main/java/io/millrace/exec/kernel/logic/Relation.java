package io.millrace.exec.kernel.logic;

import java.util.Map;
import java.util.Optional;

/** How two values are compared. */
public enum Relation {
  EQUAL,
  NOT_EQUAL,
  LESS,
  LESS_OR_EQUAL,
  GREATER,
  GREATER_OR_EQUAL;

  private static final Map<String, Relation> BY_FUNCTION =
      Map.of(
          "eq", EQUAL,
          "ne", NOT_EQUAL,
          "lt", LESS,
          "le", LESS_OR_EQUAL,
          "gt", GREATER,
          "ge", GREATER_OR_EQUAL);

  /** The relation that a function tests; empty for other functions. */
  static Optional<Relation> of(String function) {
    return Optional.ofNullable(BY_FUNCTION.get(function));
  }

  /** Whether it holds for values whose three-way comparison gives this sign. */
  public boolean holds(int order) {
    return switch (this) {
      case EQUAL -> order == 0;
      case NOT_EQUAL -> order != 0;
      case LESS -> order < 0;
      case LESS_OR_EQUAL -> order <= 0;
      case GREATER -> order > 0;
      case GREATER_OR_EQUAL -> order >= 0;
    };
  }
}
