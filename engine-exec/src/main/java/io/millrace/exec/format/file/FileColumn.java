package io.millrace.exec.format.file;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A column that is constant in each file, such as a partition key.
 *
 * @param type int64, date or string
 * @param values one a file, as {@code valueAt} gives them; null for null
 */
record FileColumn(String name, DataType type, List<Object> values) {
  FileColumn {
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }

  Field field() {
    boolean nullable = values.contains(null);
    return nullable ? Field.nullable(name, type) : Field.required(name, type);
  }
}
