package io.millrace.core.type;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** The ordered columns of a batch, a table or a plan node. Names may repeat inside plans. */
public record Schema(List<Field> fields) {
  public Schema {
    fields = List.copyOf(fields);
  }

  public static Schema of(Field... fields) {
    return new Schema(List.of(fields));
  }

  public int size() {
    return fields.size();
  }

  public Field field(int index) {
    return fields.get(index);
  }

  public List<String> names() {
    return fields.stream().map(Field::name).toList();
  }

  public List<DataType> types() {
    return fields.stream().map(Field::type).toList();
  }

  /**
   * The index of a column: an exact match first, else the only one that matches without case; empty
   * when there is none.
   *
   * @throws MillraceException AMBIGUOUS_NAME when several match equally well
   */
  public OptionalInt find(String name) {
    OptionalInt exact =
        only(name, fields.stream().map(field -> field.name().equals(name)).toList());
    if (exact.isPresent()) {
      return exact;
    }
    return only(name, fields.stream().map(field -> field.name().equalsIgnoreCase(name)).toList());
  }

  private static OptionalInt only(String name, List<Boolean> matches) {
    int first = matches.indexOf(true);
    if (first != matches.lastIndexOf(true)) {
      throw new MillraceException(
          ErrorCode.AMBIGUOUS_NAME, "Several columns have this name; rename one: '" + name + "'");
    }
    return first < 0 ? OptionalInt.empty() : OptionalInt.of(first);
  }

  /**
   * The index of a column that must exist.
   *
   * @throws MillraceException UNKNOWN_COLUMN naming the nearest columns, or AMBIGUOUS_NAME
   */
  public int indexOf(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.UNKNOWN_COLUMN,
                    "Unknown column '"
                        + name
                        + "'"
                        + NearestNames.hint(name, names())
                        + " Columns: "
                        + names().stream().limit(20).collect(Collectors.joining(", "))));
  }

  /** The columns at the given indexes, in that order. */
  public Schema select(List<Integer> indexes) {
    return new Schema(indexes.stream().map(fields::get).toList());
  }

  /** These columns followed by the others. */
  public Schema concat(Schema other) {
    List<Field> all = new ArrayList<>(fields);
    all.addAll(other.fields);
    return new Schema(all);
  }

  @Override
  public String toString() {
    return fields.stream().map(Field::toString).collect(Collectors.joining(", ", "(", ")"));
  }
}
