package io.millrace.planner.rex;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.NullPolicy;
import io.millrace.core.type.DataType;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;

/** Types of calls: what of a result may be null. */
public final class CallTypes {
  private CallTypes() {}

  /** Whether a call may give null when these arguments may be null. */
  public static boolean isNullable(FunctionDefinition definition, List<Boolean> arguments) {
    return switch (definition.name()) {
      case "and", "or" -> arguments.contains(true);
      case "coalesce" -> !arguments.contains(false);
      default ->
          switch (definition.nullPolicy()) {
            case NullPolicy.NULL_ON_NULL -> arguments.contains(true) || nullsErrors(definition);
            case NullPolicy.CALLED_ON_NULL -> true;
            case NullPolicy.NEVER_NULL -> false;
          };
    };
  }

  /** Whether the function may turn an error into null. */
  private static boolean nullsErrors(FunctionDefinition definition) {
    return definition.name().startsWith("try_")
        || definition.signatures().stream()
            .flatMap(signature -> signature.parameters().stream())
            .anyMatch(parameter -> parameter.name().equals("on_error"));
  }

  /** The result of a call whose operands have the types that it takes; constants are not known. */
  static RelDataType resultType(
      FunctionDefinition definition, MillraceTypeFactory types, List<RelDataType> operands) {
    List<DataType> arguments = operands.stream().map(MillraceTypeFactory::dataType).toList();
    DataType result =
        new FunctionRegistry(List.of(definition))
            .resolve(
                definition.name(),
                arguments,
                arguments.stream().map(unused -> Optional.empty()).toList())
            .resultType();
    return types.of(
        result, isNullable(definition, operands.stream().map(RelDataType::isNullable).toList()));
  }
}
