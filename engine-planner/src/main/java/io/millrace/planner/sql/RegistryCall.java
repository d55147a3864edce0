package io.millrace.planner.sql;

import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.type.DataType;
import io.millrace.planner.rex.CallTypes;
import io.millrace.planner.rex.FunctionCalls;
import io.millrace.planner.sql.parser.NamedParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** A call of a scalar function of the registry, in whatever syntax it is written. */
final class RegistryCall extends ExpressionOperator {
  private final transient FunctionDefinition definition;
  private final transient Function<SqlCall, List<SqlNode>> arguments;
  private final boolean negated;

  /**
   * @param name what Calcite shows for the call, such as {@code +}
   * @param arguments the function's arguments among the call's operands, in the function's order
   * @param negated whether the call means the opposite of the function, as NOT LIKE does
   */
  RegistryCall(
      String name,
      SqlKind kind,
      FunctionDefinition definition,
      Function<SqlCall, List<SqlNode>> arguments,
      boolean negated) {
    super(name, kind);
    this.definition = definition;
    this.arguments = arguments;
    this.negated = negated;
  }

  /** The function by its own name, in function syntax. */
  static RegistryCall of(FunctionDefinition definition) {
    return new RegistryCall(
        definition.name(), SqlKind.OTHER_FUNCTION, definition, SqlCall::getOperandList, false);
  }

  FunctionDefinition definition() {
    return definition;
  }

  @Override
  List<SqlNode> expressions(SqlCall call) {
    return arguments.apply(call);
  }

  @Override
  RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall call) {
    List<SqlNode> operands = arguments.apply(call);
    List<DataType> types = new ArrayList<>();
    List<Optional<Object>> constants = new ArrayList<>();
    List<Boolean> nullables = new ArrayList<>();
    List<Integer> parameters = new ArrayList<>();
    for (SqlNode operand : operands) {
      if (validator.isUntyped(operand)) {
        parameters.add(types.size());
        types.add(validator.parameters().naturalType(((NamedParameter) operand).name()));
      } else {
        types.add(dataType(validator, scope, operand));
      }
      constants.add(validator.constants().value(operand));
      nullables.add(
          validator.isUntyped(operand)
              ? types.getLast() instanceof DataType.Null
              : validator.deriveType(scope, operand).isNullable());
    }
    ResolvedFunction resolved =
        parameters.isEmpty()
            ? FunctionCalls.resolve(validator.functions(), definition.name(), types, constants)
            : withParameters(validator, operands, types, constants, parameters);
    return validator.types().of(resolved.resultType(), CallTypes.isNullable(definition, nullables));
  }

  /**
   * Finds types for the parameters: the type of another argument, else the value's own, else what
   * the signature takes. Only a type that the value can be read as is taken.
   */
  private ResolvedFunction withParameters(
      StatementValidator validator,
      List<SqlNode> operands,
      List<DataType> types,
      List<Optional<Object>> constants,
      List<Integer> parameters) {
    List<DataType> candidates = new ArrayList<>();
    for (int index = 0; index < types.size(); index++) {
      if (!parameters.contains(index) && !candidates.contains(types.get(index))) {
        candidates.add(types.get(index));
      }
    }
    candidates.add(null);
    candidates.add(DataType.NULL);
    MillraceException firstFailure = null;
    for (DataType candidate : candidates) {
      List<DataType> tried = new ArrayList<>(types);
      if (candidate != null) {
        parameters.forEach(index -> tried.set(index, candidate));
      }
      try {
        ResolvedFunction resolved =
            FunctionCalls.resolve(validator.functions(), definition.name(), tried, constants);
        if (assign(validator, operands, resolved, parameters)) {
          return resolved;
        }
      } catch (MillraceException failure) {
        firstFailure = firstFailure == null ? failure : firstFailure;
      }
    }
    if (firstFailure != null) {
      throw firstFailure;
    }
    // says which value does not fit which type
    ResolvedFunction resolved =
        FunctionCalls.resolve(validator.functions(), definition.name(), types, constants);
    for (int index : parameters) {
      validator
          .parameters()
          .value(
              ((NamedParameter) operands.get(index)).name(), resolved.argumentTypes().get(index));
    }
    return resolved;
  }

  private static boolean assign(
      StatementValidator validator,
      List<SqlNode> operands,
      ResolvedFunction resolved,
      List<Integer> parameters) {
    for (int index : parameters) {
      String name = ((NamedParameter) operands.get(index)).name();
      if (!validator.parameters().fits(name, resolved.argumentTypes().get(index))) {
        return false;
      }
    }
    for (int index : parameters) {
      validator.assign((NamedParameter) operands.get(index), resolved.argumentTypes().get(index));
    }
    return true;
  }

  @Override
  RexNode convert(CallConversion conversion, SqlCall call) {
    List<RexNode> operands = arguments.apply(call).stream().map(conversion::operand).toList();
    RexNode result = conversion.calls().call(definition.name(), operands);
    return negated ? conversion.calls().call("not", result) : result;
  }
}
