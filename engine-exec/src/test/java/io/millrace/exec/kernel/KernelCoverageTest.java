package io.millrace.exec.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.FunctionKind;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.Signature;
import io.millrace.core.spi.AggregateKernel.Accumulator;
import io.millrace.core.spi.FunctionKernels;
import io.millrace.core.spi.FunctionKernels.BoundCall;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.TimeUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** Each definition has a kernel for each of its signatures and the types that it takes. */
class KernelCoverageTest {
  /** The compiler evaluates these without a kernel. */
  private static final Set<String> NODES = Set.of("and", "or", "coalesce");

  private static final List<DataType> TYPES =
      List.of(
          DataType.BOOLEAN,
          DataType.INT8,
          DataType.INT16,
          DataType.INT32,
          DataType.INT64,
          DataType.UINT8,
          DataType.UINT16,
          DataType.UINT32,
          DataType.UINT64,
          DataType.FLOAT16,
          DataType.FLOAT32,
          DataType.FLOAT64,
          DataType.decimal(9, 2),
          DataType.decimal(38, 10),
          DataType.DATE,
          new DataType.Time(TimeUnit.MICROSECOND),
          DataType.timestamp(TimeUnit.MICROSECOND),
          DataType.timestamp(TimeUnit.NANOSECOND, "Europe/Berlin"),
          new DataType.Duration(TimeUnit.MILLISECOND),
          DataType.INTERVAL,
          DataType.STRING,
          DataType.BINARY,
          new DataType.FixedBinary(4),
          DataType.UUID,
          DataType.list(DataType.INT32),
          DataType.list(DataType.FLOAT64),
          DataType.fixedList(DataType.FLOAT32, 3),
          DataType.embedding(DataType.FLOAT32, 3),
          DataType.struct(Field.nullable("a", DataType.INT32)),
          DataType.map(DataType.STRING, DataType.INT32));

  private final Kernels kernels = Kernels.discovered();

  private static List<FunctionDefinition> definitions() {
    boolean media =
        ServiceLoader.load(FunctionKernels.class, Kernels.class.getClassLoader()).stream()
            .anyMatch(provider -> provider.type().getName().contains(".media."));
    List<FunctionDefinition> definitions = new ArrayList<>();
    ServiceLoader.load(FunctionFamily.class, FunctionRegistry.class.getClassLoader())
        .forEach(
            family -> {
              if (media || !family.getClass().getName().contains(".media.")) {
                definitions.addAll(family.definitions());
              }
            });
    return definitions;
  }

  /** Calls of a signature: for each type that some parameter takes, one. */
  private static List<BoundCall> calls(FunctionDefinition definition, Signature signature) {
    List<BoundCall> calls = new ArrayList<>();
    if (signature.parameters().isEmpty()) {
      calls.add(call(definition, signature, List.of()));
    }
    List<DataType> candidates = new ArrayList<>(TYPES);
    candidates.add(DataType.NULL);
    for (DataType candidate : candidates) {
      List<DataType> types = new ArrayList<>();
      boolean used = false;
      for (Parameter parameter : signature.parameters()) {
        Optional<DataType> own = parameter.type().accept(candidate);
        used |= own.isPresent();
        Optional<DataType> chosen =
            own.isPresent() || signature.sameType() ? own : anyType(parameter);
        chosen.ifPresent(types::add);
      }
      if (used && types.size() == signature.parameters().size()) {
        calls.add(call(definition, signature, types));
      }
    }
    return calls;
  }

  private static Optional<DataType> anyType(Parameter parameter) {
    List<DataType> all = new ArrayList<>(TYPES);
    all.add(DataType.NULL);
    return all.stream().flatMap(type -> parameter.type().accept(type).stream()).findFirst();
  }

  private static BoundCall call(
      FunctionDefinition definition, Signature signature, List<DataType> types) {
    List<Optional<Object>> constants = new ArrayList<>();
    List<Optional<Object>> typing = new ArrayList<>();
    for (Parameter parameter : signature.parameters()) {
      Optional<Object> value = parameter.constant() ? parameter.defaultValue() : Optional.empty();
      constants.add(value);
      typing.add(value.filter(constant -> !constant.equals(Parameter.NULL)));
    }
    return new BoundCall(
        definition.name(), types, constants, signature.resultType().of(types, typing));
  }

  @Test
  void eachDefinitionHasItsKernels() {
    List<String> missing = new ArrayList<>();
    int bound = 0;
    for (FunctionDefinition definition : definitions()) {
      for (Signature signature : definition.signatures()) {
        boolean media = isMedia(signature);
        List<BoundCall> calls = media ? List.of() : calls(definition, signature);
        if (!media && calls.isEmpty()) {
          missing.add("no call for " + definition.name());
        }
        for (BoundCall call : calls) {
          if (isTakenEarlier(definition, signature, call)) {
            continue;
          }
          bound++;
          missing.addAll(bind(definition, call));
        }
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(bound > 500, "calls bound: " + bound);
  }

  /** Whether a signature before this one is for exactly these types, so that it gets the call. */
  private static boolean isTakenEarlier(
      FunctionDefinition definition, Signature signature, BoundCall call) {
    return definition.signatures().stream()
        .takeWhile(earlier -> !earlier.equals(signature))
        .filter(earlier -> earlier.parameters().size() == call.arguments().size())
        .anyMatch(
            earlier ->
                IntStream.range(0, call.arguments().size())
                    .allMatch(
                        place ->
                            earlier
                                .parameters()
                                .get(place)
                                .type()
                                .accept(call.arguments().get(place))
                                .filter(call.arguments().get(place)::equals)
                                .isPresent()));
  }

  /** Image functions are tested where they are implemented. */
  private static boolean isMedia(Signature signature) {
    return signature.parameters().stream()
        .anyMatch(
            parameter ->
                TYPES.stream().noneMatch(type -> parameter.type().accept(type).isPresent()));
  }

  private List<String> bind(FunctionDefinition definition, BoundCall call) {
    if (NODES.contains(definition.name()) || definition.kind() == FunctionKind.WINDOW) {
      return List.of();
    }
    try (BufferAllocator allocator = new RootAllocator()) {
      if (definition.kind() == FunctionKind.AGGREGATE) {
        aggregate(definition, call, allocator);
      } else {
        scalar(call, allocator);
      }
      return List.of();
    } catch (RuntimeException failure) {
      return List.of(call.function() + call.arguments() + ": " + failure);
    }
  }

  /** Null rows and rows that are not selected never fail. */
  private void scalar(BoundCall call, BufferAllocator allocator) {
    List<ColumnVector> arguments = new ArrayList<>();
    for (DataType type : call.arguments()) {
      arguments.add(FlatVector.ofNulls(type, 5, allocator));
    }
    boolean alwaysNull = call.arguments().stream().anyMatch(DataType.Null.class::isInstance);
    try (ScalarKernel kernel = alwaysNull ? nullOrKernel(call) : kernels.scalar(call)) {
      for (RowSet rows : List.of(RowSet.all(5), RowSet.of(5, new int[] {1, 3}, 2))) {
        if (kernel != null) {
          try (ColumnVector result = kernel.evaluate(arguments, rows, allocator)) {
            assertEquals(5, result.length());
            assertEquals(call.result(), result.type(), call::toString);
          }
        }
      }
    } finally {
      arguments.forEach(ColumnVector::close);
    }
  }

  /** The compiler gives null for a null-typed argument, unless the function is called on null. */
  private ScalarKernel nullOrKernel(BoundCall call) {
    return switch (FunctionRegistry.builtIn().require(call.function()).nullPolicy()) {
      case NULL_ON_NULL -> null;
      case CALLED_ON_NULL, NEVER_NULL -> kernels.scalar(call);
    };
  }

  private void aggregate(FunctionDefinition definition, BoundCall call, BufferAllocator allocator) {
    List<ColumnVector> arguments = new ArrayList<>();
    for (DataType type : call.arguments()) {
      arguments.add(FlatVector.ofNulls(type, 5, allocator));
    }
    try (Accumulator accumulator = kernels.aggregate(call).create(allocator)) {
      boolean single = definition.name().equals("single_value");
      accumulator.resize(7);
      accumulator.add(
          single ? new int[] {0, 1, 2, 3, 4} : new int[] {0, 1, 1, 0, 0}, arguments, RowSet.all(5));
      List<ColumnVector> states = accumulator.states(0, 2, allocator);
      List<DataType> types = states.stream().map(ColumnVector::type).toList();
      assertEquals(definition.state().orElseThrow().of(call.arguments(), call.result()), types);
      accumulator.merge(single ? new int[] {5, 6} : new int[] {1, 0}, states, RowSet.all(2));
      states.forEach(ColumnVector::close);
      try (ColumnVector results = accumulator.results(0, 2, allocator)) {
        assertEquals(call.result(), results.type());
      }
    } finally {
      arguments.forEach(ColumnVector::close);
    }
  }

  @Test
  void oneFamilyAnswersForEachFunction() {
    List<FunctionKernels> families =
        ServiceLoader.load(FunctionKernels.class, Kernels.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
    for (String function : Arrays.asList("eq", "add", "upper", "year", "l2_distance", "array")) {
      long answers =
          families.stream()
              .filter(
                  family ->
                      family
                          .scalar(
                              new BoundCall(
                                  function,
                                  List.of(DataType.INT32, DataType.INT32),
                                  List.of(Optional.empty(), Optional.empty()),
                                  DataType.INT32))
                          .isPresent())
              .count();
      assertEquals(1, answers, function);
    }
  }
}
