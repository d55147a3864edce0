package io.millrace.planner.sql;

import io.millrace.planner.logical.GroupsOffset;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** The offset of a frame of GROUPS, in the syntax tree. */
final class GroupsCount extends ExpressionOperator {
  GroupsCount() {
    super(GroupsOffset.INSTANCE.getName(), SqlKind.OTHER_FUNCTION);
  }

  @Override
  RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall call) {
    return validator.deriveType(scope, call.operand(0));
  }

  @Override
  RexNode convert(CallConversion conversion, SqlCall call) {
    RexNode offset = conversion.operand(call.operand(0));
    return conversion.builder().makeCall(offset.getType(), GroupsOffset.INSTANCE, List.of(offset));
  }
}
