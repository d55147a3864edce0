package io.millrace.testkit;

import io.millrace.core.batch.Batch;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rows of batches as Java lists that compare by value. */
public final class BatchRows {
  private BatchRows() {}

  /** The selected rows; the batch stays the caller's. */
  public static List<List<Object>> of(Batch batch) {
    List<List<Object>> rows = new ArrayList<>(batch.rowCount());
    for (int row = 0; row < batch.rowCount(); row++) {
      List<Object> values = new ArrayList<>(batch.columnCount());
      for (int column = 0; column < batch.columnCount(); column++) {
        values.add(comparable(batch.valueAt(column, row)));
      }
      rows.add(values);
    }
    return rows;
  }

  /** Given rows in the form that {@link #of(Batch)} gives. */
  public static List<List<Object>> of(List<List<Object>> rows) {
    List<List<Object>> result = new ArrayList<>(rows.size());
    rows.forEach(
        row -> {
          List<Object> values = new ArrayList<>(row.size());
          row.forEach(value -> values.add(comparable(value)));
          result.add(values);
        });
    return result;
  }

  /** Arrays become lists, at any depth; anything else stays. */
  public static Object comparable(Object value) {
    if (value instanceof List<?> list) {
      List<Object> result = new ArrayList<>(list.size());
      list.forEach(item -> result.add(comparable(item)));
      return result;
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, Object> result = new LinkedHashMap<>();
      map.forEach((key, item) -> result.put(comparable(key), comparable(item)));
      return result;
    }
    if (value == null || !value.getClass().isArray()) {
      return value;
    }
    List<Object> result = new ArrayList<>(Array.getLength(value));
    for (int index = 0; index < Array.getLength(value); index++) {
      result.add(Array.get(value, index));
    }
    return result;
  }
}
