package io.millrace.planner.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MillraceTypeFactoryTest {
  private final MillraceTypeFactory types = new MillraceTypeFactory();

  private static List<DataType> everyType() {
    return SampleTypes.all();
  }

  @Test
  void samplesHoldEveryKindOfType() {
    Set<Class<?>> kinds =
        SampleTypes.all().stream().map(Object::getClass).collect(Collectors.toSet());
    assertEquals(Set.copyOf(Arrays.asList(DataType.class.getPermittedSubclasses())), kinds);
  }

  @Test
  void differentTypesHaveDifferentDigests() {
    Set<String> digests = new HashSet<>();
    for (DataType type : SampleTypes.all()) {
      assertTrue(digests.add(types.of(type, true).getFullTypeString()), type.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void keepsTheDataType(DataType type) {
    RelDataType nullable = types.of(type, true);
    RelDataType required = types.of(type, false);
    assertEquals(type, MillraceTypeFactory.dataType(nullable));
    assertSame(nullable, types.of(type, true));
    assertEquals(nullable, types.createTypeWithNullability(required, true));
    assertTrue(nullable.isNullable());
    if (!(type instanceof DataType.Null)) {
      assertNotEquals(nullable, required);
    }
    assertSame(nullable, types.copyType(nullable));
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void theCommonTypeWithItselfAndNullIsTheType(DataType type) {
    RelDataType relType = types.of(type, false);
    assertEquals(
        type, MillraceTypeFactory.dataType(types.leastRestrictive(List.of(relType, relType))));
    RelDataType withNull =
        types.leastRestrictive(List.of(relType, types.createSqlType(SqlTypeName.NULL)));
    assertEquals(type, MillraceTypeFactory.dataType(withNull));
    assertTrue(withNull.isNullable());
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void standsInListsMapsAndRows(DataType type) {
    RelDataType relType = types.of(type, true);
    assertEquals(
        DataType.list(type), MillraceTypeFactory.dataType(types.createArrayType(relType, -1)));
    assertEquals(relType, types.createArrayType(relType, -1).getComponentType());
    assertEquals(
        DataType.map(DataType.STRING, type),
        MillraceTypeFactory.dataType(
            types.createMapType(types.of(DataType.STRING, false), relType)));
    Schema schema = Schema.of(Field.nullable("a", type), Field.nullable("A", type));
    assertEquals(schema, MillraceTypeFactory.schema(types.rowType(schema)));
  }

  @ParameterizedTest
  @CsvSource({
    "TINYINT, int8",
    "INTEGER, int32",
    "BIGINT, int64",
    "UBIGINT, uint64",
    "REAL, float32",
    "DOUBLE, float64",
    "FLOAT, float64",
    "BOOLEAN, boolean",
    "DATE, date",
    "VARCHAR, string",
    "CHAR, string",
    "VARBINARY, binary",
    "TIMESTAMP, timestamp(6)",
    "TIME, time(6)",
    "DECIMAL, 'decimal(38, 0)'",
    "UUID, uuid"
  })
  void calcitesNamesHaveOurTypes(SqlTypeName name, String type) {
    assertEquals(type, MillraceTypeFactory.dataType(types.createSqlType(name)).toString());
  }

  @ParameterizedTest
  @CsvSource({
    "TIMESTAMP, 9, timestamp(9)",
    "TIMESTAMP, 4, timestamp(6)",
    "CHAR, 3, string",
    "DECIMAL, 50, 'decimal(38, 0)'"
  })
  void precisionsAreOurs(SqlTypeName name, int precision, String type) {
    assertEquals(
        type, MillraceTypeFactory.dataType(types.createSqlType(name, precision)).toString());
  }

  @Test
  void sumsAndAveragesFollowTheRules() {
    MillraceTypeSystem system = MillraceTypeSystem.INSTANCE;
    assertEquals(
        DataType.INT64,
        MillraceTypeFactory.dataType(system.deriveSumType(types, types.of(DataType.INT32, false))));
    assertEquals(
        DataType.decimal(38, 0),
        MillraceTypeFactory.dataType(system.deriveSumType(types, types.of(DataType.INT64, false))));
    assertEquals(
        DataType.decimal(38, 2),
        MillraceTypeFactory.dataType(
            system.deriveSumType(types, types.of(DataType.decimal(15, 2), false))));
    assertEquals(
        DataType.FLOAT64,
        MillraceTypeFactory.dataType(
            system.deriveAvgAggType(types, types.of(DataType.INT32, false))));
  }

  @Test
  void decimalProductsAreCappedAtThirtyEightDigits() {
    RelDataType money = types.of(DataType.decimal(15, 2), false);
    RelDataType once = MillraceTypeSystem.INSTANCE.deriveDecimalMultiplyType(types, money, money);
    assertEquals(DataType.decimal(30, 4), MillraceTypeFactory.dataType(once));
    RelDataType twice = MillraceTypeSystem.INSTANCE.deriveDecimalMultiplyType(types, once, once);
    assertEquals(DataType.decimal(38, 6), MillraceTypeFactory.dataType(twice));
  }
}
