package io.millrace.lance.jni;

import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What fragments of one write look like.
 *
 * @param location the dataset, existing or not
 * @param schema columns of the data, equal to the table's when rows are appended
 * @param format file format version
 * @param appending whether the fragments are added to the table as it is; otherwise they make up a
 *     new table or replace all rows
 * @param stableRowIds whether the table has stable row ids; false for tables made here
 */
public record WriteTarget(
    LanceLocation location, Schema schema, String format, boolean appending, boolean stableRowIds) {

  /**
   * A target with the defaults for new tables: row addresses, and the oldest file format that can
   * hold the schema.
   *
   * @throws io.millrace.core.error.MillraceException when the schema cannot be stored
   */
  public static WriteTarget fresh(LanceLocation location, Schema schema) {
    String format = LanceFormat.forNewTable(schema);
    SchemaGuard.checkWritable(schema, format);
    return new WriteTarget(location, schema, format, false, false);
  }

  /** A target for rows that are added to a table in its own schema, format and kind of row key. */
  public static WriteTarget append(LanceDataset table) {
    SchemaGuard.checkWritable(table.storedSchema(), table.format());
    return new WriteTarget(
        table.location(), table.schema(), table.format(), true, table.rowKey() == RowKey.STABLE_ID);
  }
}
