package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The named tables and views of a Session. A name matches exactly or, when nothing does, without
 * case. Safe for use by several threads.
 */
public final class Catalog {

  /** What a name stands for. */
  record Entry(String name, DataFrame rows, boolean view) {}

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  Catalog() {}

  /** The names, in the order of their creation. */
  public synchronized List<String> names() {
    return List.copyOf(entries.keySet());
  }

  synchronized List<Entry> all() {
    return List.copyOf(entries.values());
  }

  /** What the name stands for; empty for an unknown name. */
  public synchronized Optional<DataFrame> find(String name) {
    return entry(name).map(Entry::rows);
  }

  synchronized Optional<Entry> entry(String name) {
    Entry exact = entries.get(name);
    if (exact != null) {
      return Optional.of(exact);
    }
    List<Entry> similar =
        entries.values().stream().filter(entry -> entry.name().equalsIgnoreCase(name)).toList();
    if (similar.size() > 1) {
      throw new MillraceException(
          ErrorCode.AMBIGUOUS_NAME,
          "Several tables have this name in another case; write the case: '" + name + "'");
    }
    return similar.stream().findFirst();
  }

  /**
   * @throws MillraceException UNKNOWN_TABLE naming the nearest
   */
  public DataFrame require(String name) {
    return find(name).orElseThrow(() -> unknown(name));
  }

  MillraceException unknown(String name) {
    return new MillraceException(
        ErrorCode.UNKNOWN_TABLE, "Unknown table '" + name + "'" + NearestNames.hint(name, names()));
  }

  void putView(String name, DataFrame rows, boolean replace) {
    put(new Entry(name, rows, true), replace);
  }

  void putTable(String name, DataFrame rows, boolean replace) {
    put(new Entry(name, rows, false), replace);
  }

  private synchronized void put(Entry entry, boolean replace) {
    Optional<Entry> known = entry(entry.name());
    if (known.isPresent() && !replace) {
      throw exists(entry.name());
    }
    known.ifPresent(old -> entries.remove(old.name()));
    entries.put(entry.name(), entry);
  }

  static MillraceException exists(String name) {
    return new MillraceException(
        ErrorCode.TABLE_EXISTS,
        "There is a table or view of this name; write CREATE OR REPLACE, or drop it first: '"
            + name
            + "'");
  }

  /** Whether there was one. */
  synchronized boolean drop(String name) {
    Optional<Entry> known = entry(name);
    known.ifPresent(entry -> entries.remove(entry.name()));
    return known.isPresent();
  }
}
