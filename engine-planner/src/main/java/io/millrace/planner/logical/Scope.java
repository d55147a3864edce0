package io.millrace.planner.logical;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;

/** The columns that an expression may name, with the alias of the table each comes from. */
public record Scope(List<ScopeColumn> columns) {
  private static final int SHOWN_LIMIT = 20;

  public Scope {
    columns = List.copyOf(columns);
  }

  /** One column. */
  public record ScopeColumn(Optional<String> qualifier, String name, RelDataType type) {
    String qualifiedName() {
      return qualifier.map(text -> text + "." + name).orElse(name);
    }
  }

  /** The columns of a row, all with the same alias or without one. */
  public static Scope of(RelDataType rowType, Optional<String> qualifier) {
    List<ScopeColumn> columns = new ArrayList<>();
    for (RelDataTypeField field : rowType.getFieldList()) {
      columns.add(new ScopeColumn(qualifier, field.getName(), field.getType()));
    }
    return new Scope(columns);
  }

  /** These columns followed by the others, as in a join. */
  public Scope concat(Scope other) {
    List<ScopeColumn> all = new ArrayList<>(columns);
    all.addAll(other.columns);
    return new Scope(all);
  }

  public List<String> names() {
    return columns.stream().map(ScopeColumn::name).toList();
  }

  /**
   * The position of a column: exact match first, else without case.
   *
   * @param qualifier alias of its table, or empty for any
   * @throws MillraceException AMBIGUOUS_NAME
   */
  public OptionalInt find(Optional<String> qualifier, String name) {
    OptionalInt exact =
        only(name, column -> column.name().equals(name) && matches(column, qualifier, false));
    return exact.isPresent()
        ? exact
        : only(
            name,
            column -> column.name().equalsIgnoreCase(name) && matches(column, qualifier, true));
  }

  private static boolean matches(ScopeColumn column, Optional<String> wanted, boolean anyCase) {
    return wanted.isEmpty()
        || column
            .qualifier()
            .filter(own -> anyCase ? own.equalsIgnoreCase(wanted.get()) : own.equals(wanted.get()))
            .isPresent();
  }

  private OptionalInt only(String name, Predicate<ScopeColumn> condition) {
    int found = -1;
    for (int index = 0; index < columns.size(); index++) {
      if (condition.test(columns.get(index))) {
        if (found >= 0) {
          throw new MillraceException(
              ErrorCode.AMBIGUOUS_NAME,
              "Several columns have this name; give the inputs an alias and qualify it: '"
                  + name
                  + "' is "
                  + columns.get(found).qualifiedName()
                  + " and "
                  + columns.get(index).qualifiedName());
        }
        found = index;
      }
    }
    return found < 0 ? OptionalInt.empty() : OptionalInt.of(found);
  }

  /**
   * The position of a column that must exist.
   *
   * @throws MillraceException UNKNOWN_COLUMN naming the nearest columns, AMBIGUOUS_NAME
   */
  public int require(String name) {
    return find(Optional.empty(), name).orElseThrow(() -> unknown(name));
  }

  /** The error for a name that no column has. */
  MillraceException unknown(String name) {
    List<String> known =
        columns.stream()
            .map(column -> name.contains(".") ? column.qualifiedName() : column.name())
            .toList();
    String shown = known.stream().limit(SHOWN_LIMIT).collect(Collectors.joining(", "));
    String more =
        known.size() > SHOWN_LIMIT ? " and " + (known.size() - SHOWN_LIMIT) + " more" : "";
    return new MillraceException(
        ErrorCode.UNKNOWN_COLUMN,
        "Unknown column '"
            + name
            + "'"
            + NearestNames.hint(name, known)
            + " Columns: "
            + shown
            + more);
  }
}
