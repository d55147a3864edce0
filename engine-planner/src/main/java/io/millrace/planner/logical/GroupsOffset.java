package io.millrace.planner.logical;

import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.ReturnTypes;

/**
 * Around the offset of a frame bound it says that groups of peers are counted: Calcite's window
 * knows rows and ranges only. A frame of groups is one of rows with these.
 */
public final class GroupsOffset extends SqlFunction {
  public static final GroupsOffset INSTANCE = new GroupsOffset();

  private GroupsOffset() {
    super(
        "$groups",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        null,
        null,
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
  }
}
