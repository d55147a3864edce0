package io.millrace.core.spi;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.Map;

/**
 * Where and how rows are written.
 *
 * @param schema columns of the rows that will come
 * @param writeId unique per write; part of temporary names, and lets a retried commit be recognised
 */
public record SinkSpecification(
    String connector,
    String uri,
    WriteMode mode,
    Schema schema,
    Map<String, String> options,
    String writeId) {
  public SinkSpecification {
    options = Map.copyOf(options);
  }

  /** Rows of a Write node: opaque fragment, and number of rows in it. */
  public static final Schema FRAGMENT_SCHEMA =
      Schema.of(
          Field.required("fragment", DataType.BINARY), Field.required("rows", DataType.INT64));
}
