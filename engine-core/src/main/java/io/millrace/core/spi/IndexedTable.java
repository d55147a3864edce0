package io.millrace.core.spi;

import java.util.List;

/** A table with secondary indexes. */
public interface IndexedTable extends Table {

  /** The indexes of the pinned version. May block. */
  List<IndexDescription> indexes();

  /**
   * One index.
   *
   * @param kind in the table's own words, for example {@code BTREE}
   */
  record IndexDescription(String name, String kind, List<String> columns) {}
}
