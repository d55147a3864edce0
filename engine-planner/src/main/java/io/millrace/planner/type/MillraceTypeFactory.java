package io.millrace.planner.type;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import io.millrace.core.type.TypeCoercion;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeMappingRules;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Makes {@link MillraceType}s for all that has a DataType. What Calcite alone needs (row types,
 * unknown, symbols) stays Calcite's. Without state; may be shared between threads.
 */
public final class MillraceTypeFactory extends SqlTypeFactoryImpl {
  /** Text is compared by its UTF-8 bytes whatever Calcite calls the order. */
  public static final SqlCollation COLLATION =
      new SqlCollation(
          SqlCollation.Coercibility.IMPLICIT, Locale.ROOT, StandardCharsets.UTF_8, "primary");

  private static final String UTC = "UTC";

  public MillraceTypeFactory() {
    super(MillraceTypeSystem.INSTANCE);
  }

  /** The Calcite type of a DataType. */
  public RelDataType of(DataType type, boolean nullable) {
    return canonize(MillraceType.of(type, nullable || type instanceof DataType.Null));
  }

  /** The Calcite type of a field. */
  public RelDataType of(Field field) {
    return of(field.type(), field.nullable());
  }

  /** The row type of a schema. */
  public RelDataType rowType(Schema schema) {
    Builder builder = builder();
    for (Field field : schema.fields()) {
      builder.add(field.name(), of(field));
    }
    return builder.build();
  }

  /** The DataType behind a Calcite type; a record is a struct. Unknown ones are refused. */
  public static DataType dataType(RelDataType type) {
    if (type instanceof MillraceType known) {
      return known.dataType();
    }
    if (type.isStruct()) {
      return new DataType.Struct(fields(type));
    }
    throw new MillraceException(
        ErrorCode.UNSUPPORTED_TYPE, "A value's type is not known: " + type.getFullTypeString());
  }

  /** Whether the type has a DataType. */
  public static boolean isKnown(RelDataType type) {
    return type instanceof MillraceType || type.isStruct();
  }

  /** The schema of a row type. */
  public static Schema schema(RelDataType rowType) {
    return new Schema(fields(rowType));
  }

  private static List<Field> fields(RelDataType record) {
    List<Field> fields = new ArrayList<>();
    for (RelDataTypeField field : record.getFieldList()) {
      fields.add(
          Field.nullable(field.getName(), dataType(field.getType()))
              .withNullable(field.getType().isNullable()));
    }
    return fields;
  }

  @Override
  public RelDataType createSqlType(SqlTypeName typeName) {
    return simple(typeName, typeSystem.getDefaultPrecision(typeName), 0)
        .map(type -> of(type, false))
        .orElseGet(() -> super.createSqlType(typeName));
  }

  @Override
  public RelDataType createSqlType(SqlTypeName typeName, int precision) {
    return simple(typeName, precision, 0)
        .map(type -> of(type, false))
        .orElseGet(() -> super.createSqlType(typeName, precision));
  }

  @Override
  public RelDataType createSqlType(SqlTypeName typeName, int precision, int scale) {
    return simple(typeName, precision, scale)
        .map(type -> of(type, false))
        .orElseGet(() -> super.createSqlType(typeName, precision, scale));
  }

  private Optional<DataType> simple(SqlTypeName typeName, int precision, int scale) {
    return Optional.ofNullable(
        switch (typeName) {
          case NULL -> DataType.NULL;
          case BOOLEAN -> DataType.BOOLEAN;
          case TINYINT -> DataType.INT8;
          case SMALLINT -> DataType.INT16;
          case INTEGER -> DataType.INT32;
          case BIGINT -> DataType.INT64;
          case UTINYINT -> DataType.UINT8;
          case USMALLINT -> DataType.UINT16;
          case UINTEGER -> DataType.UINT32;
          case UBIGINT -> DataType.UINT64;
          case REAL -> DataType.FLOAT32;
          case FLOAT, DOUBLE -> DataType.FLOAT64;
          case DECIMAL -> decimal(precision, scale);
          case DATE -> DataType.DATE;
          case TIME -> new DataType.Time(unit(typeName, precision));
          case TIMESTAMP -> DataType.timestamp(unit(typeName, precision));
          case TIMESTAMP_WITH_LOCAL_TIME_ZONE, TIMESTAMP_TZ ->
              DataType.timestamp(unit(typeName, precision), UTC);
          case CHAR, VARCHAR -> DataType.STRING;
          case BINARY, VARBINARY -> DataType.BINARY;
          case UUID -> DataType.UUID;
          default -> null;
        });
  }

  private static DataType decimal(int precision, int scale) {
    int digits =
        precision < 1
            ? DataType.Decimal.PRECISION_LIMIT
            : Math.min(precision, DataType.Decimal.PRECISION_LIMIT);
    return DataType.decimal(digits, Math.clamp(scale, 0, digits));
  }

  private TimeUnit unit(SqlTypeName typeName, int precision) {
    int digits = precision < 0 ? typeSystem.getDefaultPrecision(typeName) : precision;
    return TimeUnit.ofDigits(Math.min(digits, typeSystem.getMaxPrecision(typeName)));
  }

  @Override
  public RelDataType createArrayType(RelDataType elementType, long maxCardinality) {
    return isKnown(elementType)
        ? of(
            new DataType.ListOf(
                Field.nullable("item", dataType(elementType))
                    .withNullable(elementType.isNullable())),
            false)
        : super.createArrayType(elementType, maxCardinality);
  }

  @Override
  public RelDataType createMapType(RelDataType keyType, RelDataType valueType) {
    return isKnown(keyType) && isKnown(valueType)
        ? of(
            new DataType.MapOf(
                Field.required("key", dataType(keyType)),
                Field.nullable("value", dataType(valueType)).withNullable(valueType.isNullable())),
            false)
        : super.createMapType(keyType, valueType);
  }

  @Override
  public RelDataType createSqlIntervalType(SqlIntervalQualifier qualifier) {
    return of(DataType.INTERVAL, false);
  }

  @Override
  public RelDataType createTypeWithCharsetAndCollation(
      RelDataType type, Charset charset, SqlCollation collation) {
    return type instanceof MillraceType
        ? type
        : super.createTypeWithCharsetAndCollation(type, charset, collation);
  }

  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_8;
  }

  @Override
  public RelDataType createTypeWithNullability(RelDataType type, boolean nullable) {
    return type instanceof MillraceType known
        ? of(known.dataType(), nullable)
        : super.createTypeWithNullability(type, nullable);
  }

  @Override
  public RelDataType enforceTypeWithNullability(RelDataType type, boolean nullable) {
    return type instanceof MillraceType known
        ? of(known.dataType(), nullable)
        : super.enforceTypeWithNullability(type, nullable);
  }

  @Override
  public RelDataType copyType(RelDataType type) {
    return type instanceof MillraceType ? type : super.copyType(type);
  }

  @Override
  public RelDataType leastRestrictive(List<RelDataType> types, SqlTypeMappingRule mappingRule) {
    List<RelDataType> known =
        types.stream().filter(type -> type.getSqlTypeName() != SqlTypeName.UNKNOWN).toList();
    if (known.isEmpty()) {
      return types.isEmpty() ? null : types.getFirst();
    }
    if (known.stream().noneMatch(MillraceType.class::isInstance)) {
      return known.stream().allMatch(RelDataType::isStruct)
          ? leastRestrictiveRow(known)
          : super.leastRestrictive(known, mappingRule);
    }
    if (!known.stream().allMatch(MillraceTypeFactory::isKnown)) {
      return null;
    }
    boolean nullable = known.stream().anyMatch(RelDataType::isNullable);
    return TypeCoercion.commonType(known.stream().map(MillraceTypeFactory::dataType).toList())
        .map(type -> of(type, nullable))
        .orElse(null);
  }

  @Override
  public RelDataType leastRestrictive(List<RelDataType> types) {
    return leastRestrictive(types, SqlTypeMappingRules.instance(false));
  }

  /** Column by column; the names of the first row stay. */
  private RelDataType leastRestrictiveRow(List<RelDataType> rows) {
    RelDataType first = rows.getFirst();
    Builder builder = builder();
    for (int column = 0; column < first.getFieldCount(); column++) {
      List<RelDataType> types = new ArrayList<>();
      for (RelDataType row : rows) {
        if (row.getFieldCount() != first.getFieldCount()) {
          return null;
        }
        types.add(row.getFieldList().get(column).getType());
      }
      RelDataType common = leastRestrictive(types);
      if (common == null) {
        return null;
      }
      builder.add(first.getFieldNames().get(column), common);
    }
    boolean nullable = rows.stream().anyMatch(RelDataType::isNullable);
    return createTypeWithNullability(builder.build(), nullable);
  }
}
