package io.millrace.testkit.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.error.MillraceException;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import io.millrace.core.type.TypeCodec;
import io.millrace.core.type.TypeParser;
import io.millrace.testkit.RandomTypes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class TypeRoundTripTest {
  @Property(tries = 500)
  void arrowFieldsKeepEveryType(@ForAll long seed) throws IOException {
    Schema schema = new RandomTypes(new Random(seed)).schema(6, 3);
    org.apache.arrow.vector.types.pojo.Schema arrow = ArrowTypes.toArrow(schema);
    assertEquals(schema, ArrowTypes.fromArrow(arrow));
    org.apache.arrow.vector.types.pojo.Schema read =
        org.apache.arrow.vector.types.pojo.Schema.fromJSON(arrow.toJson());
    assertEquals(schema, ArrowTypes.fromArrow(read));
  }

  @Property(tries = 500)
  void bytesKeepEveryType(@ForAll long seed) throws IOException {
    Schema schema = new RandomTypes(new Random(seed)).schema(6, 3);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TypeCodec.write(schema, new DataOutputStream(bytes));
    assertEquals(
        schema,
        TypeCodec.readSchema(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))));
  }

  @Property(tries = 500)
  void damagedBytesAreRefused(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] bytes = TypeCodec.toBytes(new RandomTypes(random).type(3));
    byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
    assertThrows(MillraceException.class, () -> TypeCodec.fromBytes(cut));
    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    try {
      TypeCodec.fromBytes(bytes);
    } catch (MillraceException refused) {
      // Either another type or an error; never another exception.
    }
  }

  @Property(tries = 500)
  void spellingKeepsTheShape(@ForAll long seed) {
    DataType type = new RandomTypes(new Random(seed)).type(3);
    DataType parsed = TypeParser.parse(type.toString());
    assertEquals(type.toString(), parsed.toString());
    assertEquals(
        TypeParser.parse(StorageTypes.of(type).toString()),
        TypeParser.parse(StorageTypes.of(parsed).toString()));
  }

  @Example
  void aliasesAreKnown() {
    assertEquals(DataType.INT64, TypeParser.parse("BIGINT"));
    assertEquals(DataType.FLOAT64, TypeParser.parse(" double  precision "));
    assertEquals(DataType.STRING, TypeParser.parse("varchar(20)"));
    assertEquals(DataType.list(DataType.INT32), TypeParser.parse("int[]"));
    assertEquals(DataType.fixedList(DataType.FLOAT32, 3), TypeParser.parse("float[3]"));
    assertEquals(
        DataType.struct(
            Field.nullable("a b", DataType.INT32), Field.nullable("c", DataType.STRING)),
        TypeParser.parse("struct(\"a b\" int, c varchar)"));
    assertEquals(
        DataType.timestamp(io.millrace.core.type.TimeUnit.MICROSECOND, "UTC"),
        TypeParser.parse("timestamp with time zone"));
  }

  @Example
  void unknownSpellingsNameThePlace() {
    for (String text : List.of("", "integr", "list<", "decimal(39, 2)", "int32 x", "map<int32>")) {
      assertThrows(MillraceException.class, () -> TypeParser.parse(text), text);
    }
  }
}
