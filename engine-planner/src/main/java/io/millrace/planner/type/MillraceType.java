package io.millrace.planner.type;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.TypeCoercion;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFamily;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rel.type.RelDataTypeFieldImpl;
import org.apache.calcite.rel.type.RelDataTypeImpl;
import org.apache.calcite.rel.type.StructKind;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A DataType as Calcite sees it; made by {@link MillraceTypeFactory} only. Two are equal when their
 * DataTypes and nullability are. The SqlTypeName is the nearest that Calcite knows; several
 * DataTypes share one, so nothing may be decided by it alone.
 */
public final class MillraceType extends RelDataTypeImpl {
  private static final int FLOAT16_DIGITS = 3;
  private static final int FLOAT32_DIGITS = 7;
  private static final int FLOAT64_DIGITS = 15;
  private static final int INTERVAL_START_DIGITS = 10;

  private final DataType dataType;
  private final boolean nullable;

  private MillraceType(DataType dataType, boolean nullable, List<RelDataTypeField> fields) {
    super(fields);
    this.dataType = dataType;
    this.nullable = nullable;
    computeDigest();
  }

  static MillraceType of(DataType dataType, boolean nullable) {
    return new MillraceType(dataType, nullable, members(dataType));
  }

  public DataType dataType() {
    return dataType;
  }

  @Override
  public boolean isNullable() {
    return nullable;
  }

  @Override
  public SqlTypeName getSqlTypeName() {
    return switch (dataType) {
      case DataType.Null unused -> SqlTypeName.NULL;
      case DataType.Bool unused -> SqlTypeName.BOOLEAN;
      case DataType.Int integer -> integerName(integer);
      case DataType.Float number -> number.bits() == 64 ? SqlTypeName.DOUBLE : SqlTypeName.REAL;
      case DataType.Decimal unused -> SqlTypeName.DECIMAL;
      case DataType.Date unused -> SqlTypeName.DATE;
      case DataType.Time unused -> SqlTypeName.TIME;
      case DataType.Timestamp timestamp ->
          timestamp.zone().isPresent()
              ? SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE
              : SqlTypeName.TIMESTAMP;
      case DataType.Duration unused -> SqlTypeName.INTERVAL_SECOND;
      case DataType.Interval unused -> SqlTypeName.INTERVAL_DAY_SECOND;
      case DataType.Text unused -> SqlTypeName.VARCHAR;
      case DataType.Binary unused -> SqlTypeName.VARBINARY;
      case DataType.FixedBinary unused -> SqlTypeName.BINARY;
      case DataType.Uuid unused -> SqlTypeName.UUID;
      case DataType.ListOf unused -> SqlTypeName.ARRAY;
      case DataType.FixedList unused -> SqlTypeName.ARRAY;
      case DataType.Struct unused -> SqlTypeName.ROW;
      case DataType.MapOf unused -> SqlTypeName.MAP;
      case DataType.Image unused -> SqlTypeName.OTHER;
      case DataType.FixedShapeImage unused -> SqlTypeName.OTHER;
      case DataType.Tensor unused -> SqlTypeName.OTHER;
      case DataType.FixedShapeTensor unused -> SqlTypeName.OTHER;
      case DataType.SparseTensor unused -> SqlTypeName.OTHER;
      case DataType.Embedding unused -> SqlTypeName.OTHER;
      case DataType.File unused -> SqlTypeName.OTHER;
      case DataType.Reference unused -> SqlTypeName.OTHER;
    };
  }

  private static SqlTypeName integerName(DataType.Int integer) {
    return switch (integer.bits()) {
      case 8 -> integer.signed() ? SqlTypeName.TINYINT : SqlTypeName.UTINYINT;
      case 16 -> integer.signed() ? SqlTypeName.SMALLINT : SqlTypeName.USMALLINT;
      case 32 -> integer.signed() ? SqlTypeName.INTEGER : SqlTypeName.UINTEGER;
      default -> integer.signed() ? SqlTypeName.BIGINT : SqlTypeName.UBIGINT;
    };
  }

  @Override
  public RelDataTypeFamily getFamily() {
    RelDataTypeFamily family = getSqlTypeName().getFamily();
    return family == null ? this : family;
  }

  @Override
  public int getPrecision() {
    return switch (dataType) {
      case DataType.Int integer -> TypeCoercion.digits(integer);
      case DataType.Float number ->
          switch (number.bits()) {
            case 16 -> FLOAT16_DIGITS;
            case 32 -> FLOAT32_DIGITS;
            default -> FLOAT64_DIGITS;
          };
      case DataType.Decimal decimal -> decimal.precision();
      case DataType.Date unused -> 0;
      case DataType.Time time -> time.unit().digits();
      case DataType.Timestamp timestamp -> timestamp.unit().digits();
      case DataType.FixedBinary binary -> binary.byteWidth();
      case DataType.Duration unused -> INTERVAL_START_DIGITS;
      case DataType.Interval unused -> INTERVAL_START_DIGITS;
      default -> PRECISION_NOT_SPECIFIED;
    };
  }

  @Override
  public int getScale() {
    return switch (dataType) {
      case DataType.Int unused -> 0;
      case DataType.Decimal decimal -> decimal.scale();
      default -> SCALE_NOT_SPECIFIED;
    };
  }

  @Override
  public SqlIntervalQualifier getIntervalQualifier() {
    return switch (dataType) {
      case DataType.Duration unused ->
          new SqlIntervalQualifier(TimeUnit.SECOND, null, SqlParserPos.ZERO);
      case DataType.Interval unused ->
          new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, SqlParserPos.ZERO);
      default -> null;
    };
  }

  @Override
  public Charset getCharset() {
    return dataType instanceof DataType.Text ? StandardCharsets.UTF_8 : null;
  }

  @Override
  public SqlCollation getCollation() {
    return dataType instanceof DataType.Text ? MillraceTypeFactory.COLLATION : null;
  }

  @Override
  public RelDataType getComponentType() {
    return switch (dataType) {
      case DataType.ListOf list -> of(list.element());
      case DataType.FixedList list -> of(list.element());
      default -> null;
    };
  }

  @Override
  public RelDataType getKeyType() {
    return dataType instanceof DataType.MapOf map ? of(map.key()) : null;
  }

  @Override
  public RelDataType getValueType() {
    return dataType instanceof DataType.MapOf map ? of(map.value()) : null;
  }

  /** Members can be named without the table, as {@code s.a}; a star does not expand them. */
  @Override
  public StructKind getStructKind() {
    return isStruct() ? StructKind.PEEK_FIELDS_NO_EXPAND : StructKind.NONE;
  }

  @Override
  protected void generateTypeString(StringBuilder text, boolean withDetail) {
    text.append(withDetail ? TypeDigest.of(dataType) : dataType.toString());
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof MillraceType that
            && nullable == that.nullable
            && dataType.equals(that.dataType));
  }

  @Override
  public int hashCode() {
    return dataType.hashCode() * 2 + (nullable ? 1 : 0);
  }

  private static MillraceType of(Field field) {
    return of(field.type(), field.nullable());
  }

  private static List<RelDataTypeField> members(DataType type) {
    if (!(type instanceof DataType.Struct(List<Field> fields))) {
      return null;
    }
    List<RelDataTypeField> members = new ArrayList<>(fields.size());
    for (Field field : fields) {
      members.add(new RelDataTypeFieldImpl(field.name(), members.size(), of(field)));
    }
    return members;
  }
}
