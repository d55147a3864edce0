package io.millrace.planner.sql.parser;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A window whose frame counts groups of peers, which Calcite's own node cannot say. */
public final class GroupsWindow extends SqlWindow {
  public GroupsWindow(
      SqlParserPos position,
      SqlIdentifier referencedName,
      SqlNodeList partition,
      SqlNodeList order,
      SqlLiteral isRows,
      SqlNode lowerBound,
      SqlNode upperBound,
      SqlLiteral allowPartial,
      SqlLiteral exclude) {
    super(
        position,
        null,
        referencedName,
        partition,
        order,
        isRows,
        lowerBound,
        upperBound,
        allowPartial,
        exclude);
  }
}
