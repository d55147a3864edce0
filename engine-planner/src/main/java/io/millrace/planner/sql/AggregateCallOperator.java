package io.millrace.planner.sql;

import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.type.DataType;
import io.millrace.planner.rex.FunctionCalls;
import io.millrace.planner.sql.parser.TypeNameSpec;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Optionality;

/** An aggregate call of the syntax tree: writes the casts its signature asks for into the tree. */
final class AggregateCallOperator extends SqlAggFunction {
  private static final Map<String, SqlAggFunction> STANDARD =
      Map.of(
          "count", SqlStdOperatorTable.COUNT,
          "sum", SqlStdOperatorTable.SUM,
          "min", SqlStdOperatorTable.MIN,
          "max", SqlStdOperatorTable.MAX,
          "avg", SqlStdOperatorTable.AVG);

  private final transient FunctionDefinition definition;

  private AggregateCallOperator(FunctionDefinition definition) {
    super(
        definition.name(),
        null,
        SqlKind.OTHER_FUNCTION,
        binding -> resultType(definition, binding),
        null,
        null,
        SqlFunctionCategory.USER_DEFINED_FUNCTION,
        false,
        false,
        Optionality.OPTIONAL);
    this.definition = definition;
  }

  private static RelDataType resultType(FunctionDefinition definition, SqlOperatorBinding binding) {
    List<DataType> arguments =
        binding.collectOperandTypes().stream().map(MillraceTypeFactory::dataType).toList();
    DataType result =
        new FunctionRegistry(List.of(definition))
            .resolve(
                definition.name(),
                arguments,
                arguments.stream().map(unused -> Optional.empty()).toList())
            .resultType();
    return ((MillraceTypeFactory) binding.getTypeFactory()).of(result, true);
  }

  /** The operator of an aggregate in the tree; Calcite's own where its conversion looks for it. */
  static SqlAggFunction of(FunctionDefinition definition) {
    SqlAggFunction standard = STANDARD.get(definition.name());
    return standard == null ? new AggregateCallOperator(definition) : standard;
  }

  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    StatementValidator statement = (StatementValidator) validator;
    List<DataType> types = new ArrayList<>();
    List<Optional<Object>> constants = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      types.add(ExpressionOperator.dataType(statement, scope, operand));
      constants.add(statement.constants().value(operand));
    }
    ResolvedFunction resolved;
    try {
      resolved = FunctionCalls.resolve(statement.functions(), definition.name(), types, constants);
    } catch (MillraceException failure) {
      throw ExpressionOperator.located(failure, call);
    }
    for (int index = 0; index < types.size(); index++) {
      DataType wanted = resolved.argumentTypes().get(index);
      if (!wanted.equals(types.get(index))) {
        SqlNode operand = call.getOperandList().get(index);
        SqlParserPos position = operand.getParserPosition();
        SqlDataTypeSpec spec = new SqlDataTypeSpec(TypeNameSpec.of(wanted, position), position);
        SqlCall cast = new CastCall(false).createCall(position, operand, spec);
        call.setOperand(index, cast);
        validator.deriveType(scope, cast);
      }
    }
    return statement.types().of(resolved.resultType(), true);
  }
}
