package io.millrace.planner.sql;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What stands in FROM, with constants as Java values.
 *
 * @param version the pinned version, if any
 */
public record TableReference(Source source, Optional<Version> version) {

  /** Where the rows come from. */
  public sealed interface Source {
    /** A name of the catalog, qualified or not, in the written case. */
    record Name(List<String> names) implements Source {
      public Name {
        names = List.copyOf(names);
      }
    }

    /** A path, glob or URI. */
    record Path(String path) implements Source {}

    /**
     * A table function such as {@code read_parquet('x', columns => ['a'])}. Values are what {@code
     * ColumnVector.valueAt} gives for the constant's type; null for NULL. Names are lower case.
     */
    record Function(String name, List<Object> arguments, Map<String, Object> named)
        implements Source {}
  }

  /** A version, by one of three ways. */
  public sealed interface Version {
    /** VERSION AS OF. */
    record Number(long version) implements Version {}

    /** TAG AS OF. */
    record Tag(String tag) implements Version {}

    /** TIMESTAMP AS OF; ISO 8601 text or the value of a timestamp literal. */
    record Time(Object time) implements Version {}
  }

  /** A table by its unqualified name. */
  public static TableReference named(String name) {
    return new TableReference(new Source.Name(List.of(name)), Optional.empty());
  }
}
