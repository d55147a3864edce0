package io.millrace.core.spi;

/** A table with versions; the open one is pinned. */
public interface VersionedTable extends Table {
  long version();

  /** The newest version at the time of the call. May block. */
  long latestVersion();
}
