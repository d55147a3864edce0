package io.millrace.core.spi;

/** What a write does with rows that are there already. */
public enum WriteMode {
  /** Fails with TABLE_EXISTS when there is something. */
  CREATE,
  APPEND,
  OVERWRITE
}
