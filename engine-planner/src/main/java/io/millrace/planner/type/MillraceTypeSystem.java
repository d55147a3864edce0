package io.millrace.planner.type;

import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import java.util.function.BinaryOperator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Calcite's limits and derived types by our rules: 38 decimal digits, nanoseconds, wide sums. */
public final class MillraceTypeSystem extends RelDataTypeSystemImpl {
  public static final MillraceTypeSystem INSTANCE = new MillraceTypeSystem();

  private static final int NANOSECOND_DIGITS = 9;
  private static final int MICROSECOND_DIGITS = 6;

  /** Quotients keep at least this many digits after the point. */
  private static final int QUOTIENT_SCALE_LEAST = 6;

  private MillraceTypeSystem() {}

  @Override
  public int getMaxPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case DECIMAL -> DataType.Decimal.PRECISION_LIMIT;
      case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> NANOSECOND_DIGITS;
      default -> super.getMaxPrecision(typeName);
    };
  }

  @Override
  public int getMaxScale(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL
        ? DataType.Decimal.PRECISION_LIMIT
        : super.getMaxScale(typeName);
  }

  @Override
  public int getDefaultPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case DECIMAL -> DataType.Decimal.PRECISION_LIMIT;
      case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ -> MICROSECOND_DIGITS;
      case CHAR, VARCHAR, BINARY, VARBINARY -> RelDataType.PRECISION_NOT_SPECIFIED;
      default -> super.getDefaultPrecision(typeName);
    };
  }

  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  /** sum: int64 up to 32 bits, decimal(38, s) for wider exact numbers, float64 for floats. */
  @Override
  public RelDataType deriveSumType(RelDataTypeFactory typeFactory, RelDataType argument) {
    DataType type = MillraceTypeFactory.dataType(argument);
    DataType result =
        switch (type) {
          case DataType.Int integer ->
              integer.bits() < 64 ? DataType.INT64 : DataType.decimal(38, 0);
          case DataType.Decimal decimal ->
              DataType.decimal(DataType.Decimal.PRECISION_LIMIT, decimal.scale());
          case DataType.Float number -> DataType.FLOAT64;
          default -> type;
        };
    return ((MillraceTypeFactory) typeFactory).of(result, argument.isNullable());
  }

  /** avg: float64 for numbers. */
  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory typeFactory, RelDataType argument) {
    DataType type = MillraceTypeFactory.dataType(argument);
    return ((MillraceTypeFactory) typeFactory)
        .of(type.isNumeric() ? DataType.FLOAT64 : type, argument.isNullable());
  }

  @Override
  public RelDataType deriveCovarType(
      RelDataTypeFactory typeFactory, RelDataType first, RelDataType second) {
    return ((MillraceTypeFactory) typeFactory)
        .of(DataType.FLOAT64, first.isNullable() || second.isNullable());
  }

  @Override
  public RelDataType deriveFractionalRankType(RelDataTypeFactory typeFactory) {
    return ((MillraceTypeFactory) typeFactory).of(DataType.FLOAT64, false);
  }

  @Override
  public RelDataType deriveRankType(RelDataTypeFactory typeFactory) {
    return ((MillraceTypeFactory) typeFactory).of(DataType.INT64, false);
  }

  @Override
  public RelDataType deriveDecimalPlusType(
      RelDataTypeFactory typeFactory, RelDataType left, RelDataType right) {
    return decimals(typeFactory, left, right, MillraceTypeSystem::sum);
  }

  @Override
  public RelDataType deriveDecimalMultiplyType(
      RelDataTypeFactory typeFactory, RelDataType left, RelDataType right) {
    return decimals(typeFactory, left, right, MillraceTypeSystem::product);
  }

  @Override
  public RelDataType deriveDecimalDivideType(
      RelDataTypeFactory typeFactory, RelDataType left, RelDataType right) {
    return decimals(typeFactory, left, right, MillraceTypeSystem::quotient);
  }

  @Override
  public RelDataType deriveDecimalModType(
      RelDataTypeFactory typeFactory, RelDataType left, RelDataType right) {
    return decimals(typeFactory, left, right, MillraceTypeSystem::remainder);
  }

  private static DataType.Decimal sum(DataType.Decimal left, DataType.Decimal right) {
    int scale = Math.max(left.scale(), right.scale());
    return TypeCoercion.capped(Math.max(whole(left), whole(right)) + scale + 1, scale);
  }

  private static DataType.Decimal product(DataType.Decimal left, DataType.Decimal right) {
    return TypeCoercion.capped(left.precision() + right.precision(), left.scale() + right.scale());
  }

  private static DataType.Decimal quotient(DataType.Decimal left, DataType.Decimal right) {
    int scale = Math.max(QUOTIENT_SCALE_LEAST, left.scale() + right.precision() + 1);
    return TypeCoercion.capped(whole(left) + right.scale() + scale, scale);
  }

  private static DataType.Decimal remainder(DataType.Decimal left, DataType.Decimal right) {
    int scale = Math.max(left.scale(), right.scale());
    return TypeCoercion.capped(Math.max(1, Math.min(whole(left), whole(right)) + scale), scale);
  }

  private static int whole(DataType.Decimal type) {
    return type.precision() - type.scale();
  }

  /** Null, as Calcite asks, unless both are exact and one is a decimal. */
  private static RelDataType decimals(
      RelDataTypeFactory typeFactory,
      RelDataType left,
      RelDataType right,
      BinaryOperator<DataType.Decimal> rule) {
    DataType leftType = MillraceTypeFactory.dataType(left);
    DataType rightType = MillraceTypeFactory.dataType(right);
    if (!leftType.isExactNumeric()
        || !rightType.isExactNumeric()
        || !(leftType instanceof DataType.Decimal || rightType instanceof DataType.Decimal)) {
      return null;
    }
    DataType.Decimal result =
        rule.apply(TypeCoercion.asDecimal(leftType), TypeCoercion.asDecimal(rightType));
    return ((MillraceTypeFactory) typeFactory).of(result, left.isNullable() || right.isNullable());
  }
}
