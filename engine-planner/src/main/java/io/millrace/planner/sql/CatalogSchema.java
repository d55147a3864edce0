package io.millrace.planner.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.Wrapper;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.schema.impl.AbstractTable;
import org.apache.calcite.schema.lookup.LikePattern;
import org.apache.calcite.schema.lookup.Lookup;
import org.apache.calcite.schema.lookup.Named;

/**
 * The catalog as a Calcite schema: tables are opened when they are looked up. A name before a dot
 * is a sub-schema, so that qualified names and the parser's table references arrive here whole.
 */
final class CatalogSchema extends AbstractSchema {
  private final List<String> prefix;
  private final Function<List<String>, Optional<PreparedTable>> open;

  /**
   * @param prefix names before the last
   * @param open opens a table by its names; empty when there is none
   */
  CatalogSchema(List<String> prefix, Function<List<String>, Optional<PreparedTable>> open) {
    this.prefix = List.copyOf(prefix);
    this.open = open;
  }

  private List<String> qualified(String name) {
    List<String> names = new ArrayList<>(prefix);
    names.add(name);
    return names;
  }

  @Override
  public Lookup<Table> tables() {
    return lookup(name -> open.apply(qualified(name)).map(Entry::new));
  }

  @Override
  public Lookup<? extends Schema> subSchemas() {
    // a table of this name hides a schema; only two levels exist
    return prefix.isEmpty()
        ? lookup(
            name ->
                isTable(name)
                    ? Optional.empty()
                    : Optional.of(new CatalogSchema(List.of(name), open)))
        : Lookup.empty();
  }

  private boolean isTable(String name) {
    return open.apply(qualified(name)).isPresent();
  }

  private static <T> Lookup<T> lookup(Function<String, Optional<? extends T>> find) {
    return new Lookup<>() {
      @Override
      public T get(String name) {
        return find.apply(name).orElse(null);
      }

      @Override
      public Named<T> getIgnoreCase(String name) {
        T found = get(name);
        return found == null ? null : new Named<>(name, found);
      }

      @Override
      public Set<String> getNames(LikePattern pattern) {
        return Set.of();
      }
    };
  }

  /** Hands the prepared table to the validator. */
  static final class Entry extends AbstractTable implements Wrapper {
    private final PreparedTable table;

    Entry(PreparedTable table) {
      this.table = table;
    }

    @Override
    public RelDataType getRowType(RelDataTypeFactory typeFactory) {
      return table.getRowType();
    }

    @Override
    public <C> C unwrap(Class<C> type) {
      return type.isInstance(table) ? type.cast(table) : super.unwrap(type);
    }
  }
}
