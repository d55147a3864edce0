package io.millrace.planner.dataframe;

import io.millrace.core.spi.Table;
import io.millrace.planner.logical.SourceTable;
import java.lang.ref.Cleaner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tables that a Session has open. A table closes when no plan names it any more, at the latest
 * with the Session.
 */
final class OpenTables implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create(Thread.ofVirtual().factory());

  private final Set<Table> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Takes ownership of the table. */
  SourceTable add(String name, Table table) {
    if (closed) {
      table.close();
      throw Session.alreadyClosed();
    }
    open.add(table);
    SourceTable source = new SourceTable(name, table);
    CLEANER.register(source, () -> release(table));
    return source;
  }

  private void release(Table table) {
    if (open.remove(table)) {
      table.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    open.forEach(this::release);
  }
}
