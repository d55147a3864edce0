package io.millrace.planner.dataframe;

import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One row of a result.
 *
 * @param values one per column, null for NULL; classes as {@code ColumnVector.valueAt} gives
 */
public record Row(Schema schema, List<Object> values) {
  public Row {
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }

  public Object value(int column) {
    return values.get(column);
  }

  /**
   * @throws io.millrace.core.error.MillraceException UNKNOWN_COLUMN, AMBIGUOUS_NAME
   */
  public Object value(String column) {
    return values.get(schema.indexOf(column));
  }

  /** The value as text; null for NULL. */
  public String text(String column) {
    Object value = value(column);
    return value == null ? null : value.toString();
  }

  /**
   * A number as long.
   *
   * @throws NullPointerException when it is NULL
   */
  public long longValue(String column) {
    return ((Number) value(column)).longValue();
  }

  /**
   * A number as double.
   *
   * @throws NullPointerException when it is NULL
   */
  public double doubleValue(String column) {
    return ((Number) value(column)).doubleValue();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
