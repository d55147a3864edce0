package io.millrace.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.core.batch.Batch;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows that a committed fixture must give, as its {@code .expected.json} says. Columns are
 * compared by name, in the types of the batches, value by value: −0.0 differs from 0.0, NaN equals
 * NaN, decimals have their scale.
 */
public final class FixtureRows {
  /** Enough to see a pattern. */
  private static final int MOST_DIFFERENCES = 10;

  private final List<JsonNode> rows;

  private FixtureRows(List<JsonNode> rows) {
    this.rows = rows;
  }

  /** The rows of a Parquet, CSV or JSON-lines fixture. */
  public static FixtureRows ofFile(Path fixture) throws IOException {
    JsonNode content =
        new ObjectMapper()
            .readTree(fixture.resolveSibling(fixture.getFileName() + ".expected.json").toFile());
    return content.has("same_as")
        ? ofFile(fixture.resolveSibling(content.get("same_as").textValue()))
        : new FixtureRows(list(content.get("rows")));
  }

  /**
   * The rows of one version of a Lance fixture.
   *
   * @param dataset the folder {@code NAME.lance}; {@code NAME.expected.json} lies beside it
   */
  public static FixtureRows ofVersion(Path dataset, long version) throws IOException {
    String name = dataset.getFileName().toString().replaceFirst("\\.lance$", ".expected.json");
    JsonNode content = new ObjectMapper().readTree(dataset.resolveSibling(name).toFile());
    return new FixtureRows(list(content.get("versions").get(Long.toString(version)).get("rows")));
  }

  private static List<JsonNode> list(JsonNode array) {
    List<JsonNode> nodes = new ArrayList<>();
    array.forEach(nodes::add);
    return nodes;
  }

  public int rowCount() {
    return rows.size();
  }

  /** Only the rows at these positions, in this order. */
  public FixtureRows select(List<Integer> positions) {
    return new FixtureRows(positions.stream().map(rows::get).toList());
  }

  /** A value as the file has it; null when the row has no such column. */
  public JsonNode value(int row, String column) {
    return rows.get(row).get(column);
  }

  /**
   * What differs between these rows and the rows of the batches, in order; empty when nothing does.
   * Columns that the batches lack are not compared.
   *
   * @param batches stay owned by the caller
   */
  public List<String> differences(List<Batch> batches) {
    List<String> differences = new ArrayList<>();
    int row = 0;
    for (Batch batch : batches) {
      for (int i = 0; i < batch.rowCount(); i++, row++) {
        if (row < rows.size()) {
          compare(batch, i, row, differences);
        }
      }
    }
    if (row != rows.size()) {
      differences.addFirst("expected " + rows.size() + " rows, found " + row);
    }
    return differences;
  }

  private void compare(Batch batch, int batchRow, int row, List<String> differences) {
    Schema schema = batch.schema();
    for (int column = 0; column < schema.size(); column++) {
      Field field = schema.field(column);
      JsonNode wanted = rows.get(row).get(field.name());
      String expected =
          wanted == null ? "no such column" : FixtureValues.text(wanted, field.type());
      String found = found(batch.valueAt(column, batchRow), wanted, field.type());
      if (!expected.equals(found) && differences.size() < MOST_DIFFERENCES) {
        differences.add(
            "row " + row + ", " + field.name() + ": expected " + expected + ", found " + found);
      }
    }
  }

  private static String found(Object value, JsonNode wanted, DataType type) {
    boolean digest = wanted != null && wanted.isObject() && type instanceof DataType.Binary;
    return digest && value instanceof byte[] bytes
        ? FixtureValues.digest(bytes)
        : FixtureValues.text(value);
  }
}
