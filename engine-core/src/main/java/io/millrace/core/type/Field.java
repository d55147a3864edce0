package io.millrace.core.type;

import java.util.Map;
import java.util.Objects;

/**
 * A named, typed column or struct member.
 *
 * @param name as written by the user; compared exactly first, then without case
 * @param type never null
 * @param nullable whether a value may be null
 * @param metadata free text carried through files that can hold it; never null
 */
public record Field(String name, DataType type, boolean nullable, Map<String, String> metadata) {
  public Field {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(type, "type");
    metadata = Map.copyOf(metadata);
  }

  public static Field nullable(String name, DataType type) {
    return new Field(name, type, true, Map.of());
  }

  public static Field required(String name, DataType type) {
    return new Field(name, type, false, Map.of());
  }

  public Field withName(String newName) {
    return new Field(newName, type, nullable, metadata);
  }

  public Field withType(DataType newType) {
    return new Field(name, newType, nullable, metadata);
  }

  public Field withNullable(boolean newNullable) {
    return new Field(name, type, newNullable, metadata);
  }

  @Override
  public String toString() {
    return name + " " + type + (nullable ? "" : " not null");
  }
}
