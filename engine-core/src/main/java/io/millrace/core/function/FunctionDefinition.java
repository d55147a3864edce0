package io.millrace.core.function;

import io.millrace.core.type.DataType;
import java.util.List;
import java.util.Optional;

/**
 * What is known of a built-in function apart from its kernel.
 *
 * @param name the registered name, lower case with underscores; plans carry it
 * @param aliases other names users may write
 * @param state for aggregates: the types of the state columns between PARTIAL and FINAL
 * @param summary one sentence
 */
public record FunctionDefinition(
    String name,
    List<String> aliases,
    FunctionKind kind,
    List<Signature> signatures,
    NullPolicy nullPolicy,
    Volatility volatility,
    Optional<StateTypes> state,
    String summary,
    List<Example> examples) {
  public FunctionDefinition {
    aliases = List.copyOf(aliases);
    signatures = List.copyOf(signatures);
    examples = List.copyOf(examples);
  }

  /** The state columns of an aggregate over arguments of these types. */
  @FunctionalInterface
  public interface StateTypes {
    List<DataType> of(List<DataType> arguments, DataType result);
  }

  /** A deterministic scalar function that gives null on null. */
  public static FunctionDefinition scalar(String name, String summary, Signature... signatures) {
    return new FunctionDefinition(
        name,
        List.of(),
        FunctionKind.SCALAR,
        List.of(signatures),
        NullPolicy.NULL_ON_NULL,
        Volatility.IMMUTABLE,
        Optional.empty(),
        summary,
        List.of());
  }

  public static FunctionDefinition aggregate(
      String name, String summary, StateTypes state, Signature... signatures) {
    return new FunctionDefinition(
        name,
        List.of(),
        FunctionKind.AGGREGATE,
        List.of(signatures),
        NullPolicy.CALLED_ON_NULL,
        Volatility.IMMUTABLE,
        Optional.of(state),
        summary,
        List.of());
  }

  /** A window function: its arguments' types and result, nothing else. */
  public static FunctionDefinition window(String name, String summary, Signature... signatures) {
    return new FunctionDefinition(
        name,
        List.of(),
        FunctionKind.WINDOW,
        List.of(signatures),
        NullPolicy.CALLED_ON_NULL,
        Volatility.IMMUTABLE,
        Optional.empty(),
        summary,
        List.of());
  }

  public FunctionDefinition alias(String... names) {
    return new FunctionDefinition(
        name, List.of(names), kind, signatures, nullPolicy, volatility, state, summary, examples);
  }

  public FunctionDefinition nulls(NullPolicy policy) {
    return new FunctionDefinition(
        name, aliases, kind, signatures, policy, volatility, state, summary, examples);
  }

  public FunctionDefinition volatility(Volatility newVolatility) {
    return new FunctionDefinition(
        name, aliases, kind, signatures, nullPolicy, newVolatility, state, summary, examples);
  }

  public FunctionDefinition example(String sql, String result) {
    List<Example> more = new java.util.ArrayList<>(examples);
    more.add(new Example(sql, result));
    return new FunctionDefinition(
        name, aliases, kind, signatures, nullPolicy, volatility, state, summary, more);
  }
}
