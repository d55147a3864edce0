package io.millrace.lance.jni;

/** What names a row of a pinned version; both are 64 bits wide. */
public enum RowKey {
  /**
   * Fragment number in the upper 32 bits, row in the fragment below; the default for tables here.
   */
  ADDRESS("_rowaddr"),
  /** An id that stays with the row over compaction; for tables made with stable row ids. */
  STABLE_ID("_rowid");

  private final String columnName;

  RowKey(String columnName) {
    this.columnName = columnName;
  }

  /** The name of the virtual column that holds it. */
  public String columnName() {
    return columnName;
  }
}
