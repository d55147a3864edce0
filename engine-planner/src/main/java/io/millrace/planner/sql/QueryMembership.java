package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import io.millrace.planner.sql.parser.SqlError;
import io.millrace.planner.type.MillraceType;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlInOperator;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** {@code x [NOT] IN (query)}, with our rule of which types go together. */
final class QueryMembership extends SqlInOperator {
  QueryMembership(SqlKind kind) {
    super(kind.sql, kind);
  }

  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    List<RelDataTypeField> values = columns(validator, scope, call, 0);
    List<RelDataTypeField> candidates = columns(validator, scope, call, 1);
    boolean nullable = false;
    for (int index = 0; index < candidates.size(); index++) {
      if (values.size() != candidates.size()) {
        throw SqlError.at(
            ErrorCode.TYPE_MISMATCH,
            call.getParserPosition(),
            "Both sides of IN have the same number of columns: "
                + values.size()
                + " and "
                + candidates.size());
      }
      RelDataType value = values.get(index).getType();
      RelDataType candidate = candidates.get(index).getType();
      DataType left = MillraceTypeFactory.dataType(value);
      DataType right = MillraceTypeFactory.dataType(candidate);
      if (TypeCoercion.commonType(left, right).isEmpty()) {
        throw SqlError.at(
            ErrorCode.TYPE_MISMATCH,
            call.getParserPosition(),
            "The sides of IN have no common type; cast one: " + left + " and " + right);
      }
      nullable |= value.isNullable() || candidate.isNullable();
    }
    return ((MillraceTypeFactory) validator.getTypeFactory()).of(DataType.BOOLEAN, nullable);
  }

  /** The columns of a side; a single value is one column, also when it is a struct. */
  private static List<RelDataTypeField> columns(
      SqlValidator validator, SqlValidatorScope scope, SqlCall call, int side) {
    RelDataType type = validator.deriveType(scope, call.operand(side));
    boolean row = type.isStruct() && !(type instanceof MillraceType);
    return row
        ? type.getFieldList()
        : validator.getTypeFactory().builder().add("value", type).build().getFieldList();
  }
}
