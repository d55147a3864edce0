package io.millrace.core.function;

import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import java.util.Optional;
import java.util.function.Predicate;

/** The types that a parameter takes, and to which an argument of another type is cast. */
public interface TypePattern {

  /**
   * The type that the argument is cast to for this parameter: the argument's own when it is taken
   * as it is, another when an implicit cast makes it fit, empty when it does not fit.
   */
  Optional<DataType> accept(DataType argument);

  /** For documentation and errors, for example {@code integer} or {@code string}. */
  String description();

  /** Exactly this type, or what is implicitly cast to it. */
  static TypePattern of(DataType type) {
    return pattern(
        type.toString(),
        argument ->
            argument.equals(type) || TypeCoercion.canWiden(argument, type)
                ? Optional.of(type)
                : Optional.empty());
  }

  /** Types that satisfy the test, as they are; NULL becomes the given type. */
  static TypePattern matching(String description, DataType ofNull, Predicate<DataType> test) {
    return pattern(
        description,
        argument -> {
          if (argument instanceof DataType.Null) {
            return Optional.of(ofNull);
          }
          return test.test(argument) ? Optional.of(argument) : Optional.empty();
        });
  }

  TypePattern ANY = pattern("any", Optional::of);
  TypePattern NUMERIC = matching("numeric", DataType.INT32, DataType::isNumeric);
  TypePattern INTEGER = matching("integer", DataType.INT32, type -> type instanceof DataType.Int);
  TypePattern STRING = of(DataType.STRING);
  TypePattern BOOLEAN = of(DataType.BOOLEAN);
  TypePattern BINARY = of(DataType.BINARY);
  TypePattern FLOAT64 = of(DataType.FLOAT64);
  TypePattern INT64 = of(DataType.INT64);

  private static TypePattern pattern(
      String description, java.util.function.Function<DataType, Optional<DataType>> accept) {
    return new TypePattern() {
      @Override
      public Optional<DataType> accept(DataType argument) {
        return accept.apply(argument);
      }

      @Override
      public String description() {
        return description;
      }
    };
  }
}
