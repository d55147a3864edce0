package io.millrace.core.function;

import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;

/**
 * Result types of exact arithmetic: the SQL rule, capped at 38 digits by {@link
 * TypeCoercion#capped}.
 */
public final class NumericResults {
  /** Least scale of a quotient, as in SQL Server's and Hive's rule. */
  private static final int LEAST_QUOTIENT_SCALE = 6;

  /** Takes decimals as they are and integers as the decimal that holds them. */
  public static final TypePattern EXACT =
      new TypePattern() {
        @Override
        public java.util.Optional<DataType> accept(DataType argument) {
          return argument.isExactNumeric()
              ? java.util.Optional.of(TypeCoercion.asDecimal(argument))
              : java.util.Optional.empty();
        }

        @Override
        public String description() {
          return "decimal";
        }
      };

  /** Takes float32 and float64. */
  public static final TypePattern FLOAT =
      TypePattern.matching(
          "float",
          DataType.FLOAT64,
          type -> type instanceof DataType.Float number && number.bits() >= 32);

  private NumericResults() {}

  /** Addition and subtraction. */
  public static final ResultType SUM =
      (arguments, constants) -> {
        DataType.Decimal left = (DataType.Decimal) arguments.get(0);
        DataType.Decimal right = (DataType.Decimal) arguments.get(1);
        int scale = Math.max(left.scale(), right.scale());
        int whole = Math.max(left.precision() - left.scale(), right.precision() - right.scale());
        return TypeCoercion.capped(whole + scale + 1, scale);
      };

  public static final ResultType PRODUCT =
      (arguments, constants) -> {
        DataType.Decimal left = (DataType.Decimal) arguments.get(0);
        DataType.Decimal right = (DataType.Decimal) arguments.get(1);
        return TypeCoercion.capped(
            left.precision() + right.precision(), left.scale() + right.scale());
      };

  public static final ResultType QUOTIENT =
      (arguments, constants) -> {
        DataType.Decimal left = (DataType.Decimal) arguments.get(0);
        DataType.Decimal right = (DataType.Decimal) arguments.get(1);
        int scale = Math.max(LEAST_QUOTIENT_SCALE, left.scale() + right.precision() + 1);
        int whole = left.precision() - left.scale() + right.scale();
        return TypeCoercion.capped(whole + scale, scale);
      };

  public static final ResultType REMAINDER =
      (arguments, constants) -> {
        DataType.Decimal left = (DataType.Decimal) arguments.get(0);
        DataType.Decimal right = (DataType.Decimal) arguments.get(1);
        int scale = Math.max(left.scale(), right.scale());
        int whole = Math.min(left.precision() - left.scale(), right.precision() - right.scale());
        return TypeCoercion.capped(Math.max(1, whole + scale), scale);
      };
}
