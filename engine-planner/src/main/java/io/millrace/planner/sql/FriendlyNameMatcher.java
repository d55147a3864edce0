package io.millrace.planner.sql;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/** An exact match first, else without case; several matches of one kind are ambiguous. */
final class FriendlyNameMatcher implements SqlNameMatcher {
  static final FriendlyNameMatcher INSTANCE = new FriendlyNameMatcher();

  private FriendlyNameMatcher() {}

  @Override
  public boolean isCaseSensitive() {
    return false;
  }

  @Override
  public boolean matches(String written, String name) {
    return written.equalsIgnoreCase(name);
  }

  @Override
  public <K extends List<String>, V> V get(
      Map<K, V> map, List<String> prefixNames, List<String> names) {
    List<String> key = new ArrayList<>(prefixNames);
    key.addAll(names);
    for (Map.Entry<K, V> entry : map.entrySet()) {
      if (entry.getKey().equals(key)) {
        return entry.getValue();
      }
    }
    for (Map.Entry<K, V> entry : map.entrySet()) {
      if (matches(key, entry.getKey())) {
        return entry.getValue();
      }
    }
    return null;
  }

  private boolean matches(List<String> written, List<String> names) {
    if (written.size() != names.size()) {
      return false;
    }
    for (int index = 0; index < names.size(); index++) {
      if (!matches(written.get(index), names.get(index))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String bestString() {
    throw new UnsupportedOperationException("This matcher does not remember what it matched.");
  }

  @Override
  public RelDataTypeField field(RelDataType rowType, String fieldName) {
    RelDataTypeField found = null;
    for (RelDataTypeField field : rowType.getFieldList()) {
      if (field.getName().equals(fieldName)) {
        return field;
      }
      if (found == null && matches(fieldName, field.getName())) {
        found = field;
      }
    }
    return found;
  }

  @Override
  public int frequency(Iterable<String> names, String name) {
    int exact = 0;
    int similar = 0;
    for (String candidate : names) {
      exact += candidate.equals(name) ? 1 : 0;
      similar += matches(name, candidate) ? 1 : 0;
    }
    return exact > 0 ? exact : similar;
  }

  /** Case counts here: two columns may differ by case alone. */
  @Override
  public Set<String> createSet() {
    return new LinkedHashSet<>();
  }
}
