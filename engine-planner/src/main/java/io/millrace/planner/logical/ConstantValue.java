package io.millrace.planner.logical;

import java.util.Arrays;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;

/**
 * A constant of a type for which Calcite has no literal (lists, embeddings, binary, intervals …):
 * an operator without operands that holds the value. Two with equal values are equal.
 */
public final class ConstantValue extends SqlFunction {
  private final Object value;

  private ConstantValue(Object value, RelDataType type) {
    super(
        "CONSTANT " + text(value),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(type),
        null,
        OperandTypes.NILADIC,
        SqlFunctionCategory.SYSTEM);
    this.value = value;
  }

  /**
   * The constant as expression.
   *
   * @param value not null; class as {@code ColumnVector.valueAt} gives
   */
  public static RexNode of(RexBuilder builder, Object value, RelDataType type) {
    return builder.makeCall(type, new ConstantValue(value, type), java.util.List.of());
  }

  /** Whether the expression is such a constant. */
  public static boolean is(RexNode node) {
    return node instanceof RexCall call && call.getOperator() instanceof ConstantValue;
  }

  public Object value() {
    return value;
  }

  /** Text that differs when the value does; it is part of the expression's digest. */
  static String text(Object value) {
    return switch (value) {
      case null -> "null";
      case byte[] bytes -> java.util.HexFormat.of().formatHex(bytes);
      case float[] numbers -> Arrays.toString(numbers);
      case double[] numbers -> Arrays.toString(numbers);
      case long[] numbers -> Arrays.toString(numbers);
      case int[] numbers -> Arrays.toString(numbers);
      case short[] numbers -> Arrays.toString(numbers);
      default -> String.valueOf(value);
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ConstantValue that && Objects.deepEquals(value, that.value);
  }

  @Override
  public int hashCode() {
    return getName().hashCode();
  }
}
