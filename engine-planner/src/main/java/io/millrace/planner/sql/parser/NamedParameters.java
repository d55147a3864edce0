package io.millrace.planner.sql.parser;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The names of the parameters of one text, in order of first use; filled by the parser. */
public final class NamedParameters {
  private final List<String> names = new ArrayList<>();

  /** A use of the parameter; called by the parser. */
  public SqlDynamicParam parameter(String name, SqlParserPos position) {
    int index = names.indexOf(name);
    if (index < 0) {
      index = names.size();
      names.add(name);
    }
    return new NamedParameter(name, index, position);
  }

  /** The name of the parameter with this index. */
  public String name(int index) {
    return names.get(index);
  }

  public List<String> names() {
    return List.copyOf(names);
  }
}
