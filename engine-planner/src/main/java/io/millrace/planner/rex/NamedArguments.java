package io.millrace.planner.rex;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.Signature;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/** Puts named arguments into their places. */
public final class NamedArguments {
  private NamedArguments() {}

  static List<RexNode> arrange(
      RexBuilder builder,
      FunctionDefinition definition,
      List<RexNode> positional,
      Map<String, RexNode> named) {
    List<Object> values = arrange(definition, new ArrayList<Object>(positional), named);
    return values.stream()
        .map(value -> value instanceof RexNode node ? node : plain(builder, value))
        .toList();
  }

  /**
   * The arguments in the order of the parameters up to the last one given; what is left out between
   * them is the parameter's default value, {@link Parameter#NULL} for NULL.
   *
   * @throws MillraceException UNKNOWN_OPTION naming the nearest parameters, DUPLICATE_NAME,
   *     INVALID_ARGUMENT
   */
  public static List<Object> arrange(
      FunctionDefinition definition, List<Object> positional, Map<String, ?> named) {
    Map<String, Object> byName = new TreeMap<>();
    named.forEach((name, value) -> byName.put(name.toLowerCase(Locale.ROOT), value));
    Signature signature = signature(definition, List.copyOf(byName.keySet()));
    List<Object> arranged = new ArrayList<>(positional);
    List<Parameter> parameters = signature.parameters();
    for (Parameter parameter :
        parameters.subList(0, Math.min(positional.size(), parameters.size()))) {
      if (byName.containsKey(parameter.name())) {
        throw new MillraceException(
            ErrorCode.DUPLICATE_NAME,
            "An argument is given by place and by name: "
                + definition.name()
                + ", "
                + parameter.name());
      }
    }
    for (int index = positional.size(); index < parameters.size() && !byName.isEmpty(); index++) {
      Parameter parameter = parameters.get(index);
      Object given = byName.remove(parameter.name());
      arranged.add(
          given != null
              ? given
              : parameter
                  .defaultValue()
                  .orElseThrow(
                      () ->
                          new MillraceException(
                              ErrorCode.INVALID_ARGUMENT,
                              "An argument is missing: "
                                  + definition.name()
                                  + ", "
                                  + parameter.name())));
    }
    return arranged;
  }

  private static Signature signature(FunctionDefinition definition, List<String> names) {
    for (Signature signature : definition.signatures()) {
      List<String> own = signature.parameters().stream().map(Parameter::name).toList();
      if (own.containsAll(names)) {
        return signature;
      }
    }
    List<String> known =
        definition.signatures().stream()
            .flatMap(signature -> signature.parameters().stream())
            .map(Parameter::name)
            .distinct()
            .toList();
    String unknown =
        names.stream().filter(name -> !known.contains(name)).findFirst().orElse(names.getFirst());
    throw new MillraceException(
        ErrorCode.UNKNOWN_OPTION,
        "The function has no argument of this name: "
            + definition.name()
            + ", '"
            + unknown
            + "'"
            + NearestNames.hint(unknown, known));
  }

  /** A default as the constant that a user would have written. */
  private static RexNode plain(RexBuilder builder, Object value) {
    if (value.equals(Parameter.NULL)) {
      return Constants.of(builder, null, DataType.NULL);
    }
    return switch (value) {
      case String text -> Constants.text(builder, text);
      case Boolean truth -> Constants.of(builder, truth, DataType.BOOLEAN);
      case Integer number -> Constants.of(builder, number, DataType.INT32);
      case Long number -> Constants.of(builder, number, DataType.INT64);
      case Double number -> Constants.of(builder, number, DataType.FLOAT64);
      case BigDecimal number ->
          Constants.of(
              builder,
              number,
              DataType.decimal(Math.max(number.precision(), number.scale()), number.scale()));
      default ->
          throw new IllegalStateException(
              "A default value is of a class that has no constant: " + value.getClass());
    };
  }
}
