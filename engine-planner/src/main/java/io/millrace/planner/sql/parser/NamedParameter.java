package io.millrace.planner.sql.parser;

import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A parameter {@code :name}; every use of a name has the same index. */
public final class NamedParameter extends SqlDynamicParam {
  private final String name;

  NamedParameter(String name, int index, SqlParserPos position) {
    super(index, position);
    this.name = name;
  }

  public String name() {
    return name;
  }

  @Override
  public SqlNode clone(SqlParserPos position) {
    return new NamedParameter(name, getIndex(), position);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrecedence, int rightPrecedence) {
    writer.print(":" + name);
    writer.setNeedWhitespace(true);
  }

  @Override
  public String toString() {
    return ":" + name;
  }
}
