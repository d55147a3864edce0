package io.millrace.core.expr;

import java.util.Optional;

/**
 * One key of an ORDER BY.
 *
 * @param nullsFirst empty for the rule: nulls last ascending, first descending
 */
public record SortKey(Column column, boolean descending, Optional<Boolean> nullsFirst) {

  public SortKey withNullsFirst() {
    return new SortKey(column, descending, Optional.of(true));
  }

  public SortKey withNullsLast() {
    return new SortKey(column, descending, Optional.of(false));
  }
}
