package io.millrace.core.function;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The functions that a query can name. Immutable; names and aliases are unique without regard to
 * case.
 */
public final class FunctionRegistry {
  private final Map<String, FunctionDefinition> byName;

  /**
   * @throws IllegalStateException when two definitions share a name or alias
   */
  public FunctionRegistry(Collection<FunctionDefinition> definitions) {
    Map<String, FunctionDefinition> names = new LinkedHashMap<>();
    for (FunctionDefinition definition : definitions) {
      register(names, definition.name(), definition);
      definition.aliases().forEach(alias -> register(names, alias, definition));
    }
    byName = Map.copyOf(names);
  }

  private static void register(
      Map<String, FunctionDefinition> names, String name, FunctionDefinition definition) {
    FunctionDefinition previous = names.putIfAbsent(name.toLowerCase(Locale.ROOT), definition);
    if (previous != null) {
      throw new IllegalStateException(
          "Two functions share a name; rename one: "
              + name
              + " of "
              + previous.name()
              + " and "
              + definition.name());
    }
  }

  /** The built-in functions: all families found with the engine's class loader. */
  public static FunctionRegistry builtIn() {
    List<FunctionDefinition> definitions = new ArrayList<>();
    ServiceLoader.load(FunctionFamily.class, FunctionRegistry.class.getClassLoader())
        .forEach(family -> definitions.addAll(family.definitions()));
    return new FunctionRegistry(definitions);
  }

  /** All definitions, each once, by name. */
  public List<FunctionDefinition> definitions() {
    Set<FunctionDefinition> unique = new LinkedHashSet<>(byName.values());
    return unique.stream().sorted((left, right) -> left.name().compareTo(right.name())).toList();
  }

  /** The function of this name or alias, without regard to case. */
  public Optional<FunctionDefinition> find(String name) {
    return Optional.ofNullable(byName.get(name.toLowerCase(Locale.ROOT)));
  }

  /**
   * @throws MillraceException UNKNOWN_FUNCTION naming the nearest functions
   */
  public FunctionDefinition require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.UNKNOWN_FUNCTION,
                    "Unknown function '" + name + "'" + NearestNames.hint(name, byName.keySet())));
  }

  /**
   * Chooses the first signature that the arguments fit, exactly or by implicit casts; one that
   * needs no cast wins over one that does.
   *
   * @param arguments types of the positional arguments
   * @param constants values of the arguments that are constants
   * @throws MillraceException UNKNOWN_FUNCTION, or TYPE_MISMATCH listing the signatures
   */
  public ResolvedFunction resolve(
      String name, List<DataType> arguments, List<Optional<Object>> constants) {
    FunctionDefinition definition = require(name);
    ResolvedFunction best = null;
    for (Signature signature : definition.signatures()) {
      Optional<ResolvedFunction> resolved = fit(definition, signature, arguments, constants);
      if (resolved.isPresent()) {
        if (resolved.get().argumentTypes().subList(0, arguments.size()).equals(arguments)) {
          return resolved.get();
        }
        best = best == null ? resolved.get() : best;
      }
    }
    if (best == null) {
      throw mismatch(definition, arguments);
    }
    return best;
  }

  private static Optional<ResolvedFunction> fit(
      FunctionDefinition definition,
      Signature signature,
      List<DataType> arguments,
      List<Optional<Object>> constants) {
    List<Parameter> parameters = expand(signature, arguments.size());
    if (parameters == null) {
      return Optional.empty();
    }
    List<DataType> wanted = new ArrayList<>(arguments);
    if (signature.sameType() && arguments.size() > 1) {
      Optional<DataType> common = commonType(arguments, constants);
      if (common.isEmpty()) {
        return Optional.empty();
      }
      wanted.replaceAll(ignored -> common.get());
    }
    List<DataType> accepted = new ArrayList<>();
    for (int index = 0; index < wanted.size(); index++) {
      Parameter parameter = parameters.get(index);
      // NULL is a constant too
      if (parameter.constant()
          && constants.get(index).isEmpty()
          && !(arguments.get(index) instanceof DataType.Null)) {
        return Optional.empty();
      }
      Optional<DataType> type = parameter.type().accept(wanted.get(index));
      if (type.isEmpty()) {
        return Optional.empty();
      }
      accepted.add(type.get());
    }
    List<Object> defaults = new ArrayList<>();
    List<Optional<Object>> allConstants = new ArrayList<>(constants);
    for (Parameter parameter : parameters.subList(wanted.size(), parameters.size())) {
      Object value = parameter.defaultValue().orElseThrow();
      defaults.add(value);
      allConstants.add(value.equals(Parameter.NULL) ? Optional.empty() : Optional.of(value));
      accepted.add(parameter.type().accept(DataType.NULL).orElse(DataType.NULL));
    }
    DataType result = signature.resultType().of(accepted, allConstants);
    return Optional.of(new ResolvedFunction(definition, signature, accepted, defaults, result));
  }

  /**
   * The common type of arguments; a constant text among values of another type takes theirs, so
   * that {@code day >= '2020-01-01'} compares dates.
   */
  private static Optional<DataType> commonType(
      List<DataType> arguments, List<Optional<Object>> constants) {
    Optional<DataType> common = TypeCoercion.commonType(arguments);
    if (common.isPresent()) {
      return common;
    }
    List<DataType> others = new ArrayList<>();
    for (int index = 0; index < arguments.size(); index++) {
      boolean constantText =
          arguments.get(index) instanceof DataType.Text && constants.get(index).isPresent();
      if (!constantText) {
        others.add(arguments.get(index));
      }
    }
    return others.size() < arguments.size() ? TypeCoercion.commonType(others) : Optional.empty();
  }

  /** One parameter per argument and then the left-out ones; null when the count does not fit. */
  private static List<Parameter> expand(Signature signature, int argumentCount) {
    List<Parameter> parameters = new ArrayList<>(signature.parameters());
    if (signature.variadic()) {
      while (parameters.size() < argumentCount) {
        parameters.add(parameters.getLast());
      }
    }
    if (argumentCount > parameters.size()) {
      return null;
    }
    boolean restOptional =
        parameters.subList(argumentCount, parameters.size()).stream()
            .allMatch(parameter -> parameter.defaultValue().isPresent());
    return restOptional ? parameters : null;
  }

  /** The positions of named arguments in the first signature that has all of these names. */
  public static Optional<List<Integer>> positions(
      FunctionDefinition definition, List<String> names) {
    for (Signature signature : definition.signatures()) {
      List<String> known = signature.parameters().stream().map(Parameter::name).toList();
      if (known.containsAll(names)) {
        return Optional.of(names.stream().map(known::indexOf).toList());
      }
    }
    return Optional.empty();
  }

  private static MillraceException mismatch(
      FunctionDefinition definition, List<DataType> arguments) {
    String given =
        arguments.stream().map(DataType::toString).collect(Collectors.joining(", ", "(", ")"));
    String wanted =
        definition.signatures().stream()
            .map(signature -> definition.name() + describe(signature))
            .collect(Collectors.joining(" or "));
    return new MillraceException(
        ErrorCode.TYPE_MISMATCH,
        "The arguments fit no signature of the function; cast them to fit: "
            + definition.name()
            + given
            + "; it takes "
            + wanted);
  }

  private static String text(Object value) {
    if (value.equals(Parameter.NULL)) {
      return "NULL";
    }
    return value instanceof String ? "'" + value + "'" : String.valueOf(value);
  }

  /** The parameters in the form {@code (image, width int64, height int64)}. */
  public static String describe(Signature signature) {
    return signature.parameters().stream()
        .map(
            parameter ->
                parameter.name()
                    + " "
                    + parameter.type().description()
                    + parameter.defaultValue().map(value -> " => " + text(value)).orElse(""))
        .collect(Collectors.joining(", ", "(", signature.variadic() ? ", …)" : ")"));
  }
}
