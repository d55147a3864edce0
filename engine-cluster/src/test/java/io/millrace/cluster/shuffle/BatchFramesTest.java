package io.millrace.cluster.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.ImageValue;
import io.millrace.core.batch.RowOrigin;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.ImageMode;
import io.millrace.core.type.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BatchFramesTest {
  private static final List<DataType> TYPES =
      List.of(
          DataType.NULL,
          DataType.BOOLEAN,
          DataType.INT8,
          DataType.INT64,
          DataType.FLOAT32,
          DataType.decimal(20, 3),
          DataType.STRING,
          DataType.BINARY,
          DataType.list(DataType.STRING),
          DataType.list(DataType.BOOLEAN),
          DataType.fixedList(DataType.BOOLEAN, 3),
          DataType.embedding(DataType.FLOAT32, 2),
          DataType.map(DataType.STRING, DataType.list(DataType.INT32)),
          DataType.struct(
              Field.nullable("a", DataType.BOOLEAN), Field.nullable("b", DataType.STRING)),
          new DataType.Image(Optional.empty()));

  private BufferAllocator allocator;

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
  }

  @AfterEach
  void close() {
    allocator.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 100})
  void everyTypeComesBackWholeSlicedAndSelected(int rowCount) {
    Random random = new Random(rowCount);
    for (DataType type : TYPES) {
      for (int nullPercent : new int[] {0, 30}) {
        List<Object> values = values(type, rowCount, nullPercent, random);
        try (Batch whole = batch(flat(type, values))) {
          assertEquals(values, roundTrip(whole.share()));
          int from = Math.min(3, rowCount);
          int count = Math.max(0, rowCount - 2 * from);
          assertEquals(
              values.subList(from, from + count), roundTrip(whole.slice(from, count)), "" + type);
          int[] odd = IntStream.range(0, rowCount).filter(row -> row % 2 == 1).toArray();
          assertEquals(
              Arrays.stream(odd).mapToObj(values::get).toList(),
              roundTrip(whole.share().withSelection(odd, odd.length)));
        }
      }
    }
  }

  @Test
  void whereRowsAreFromTravelsWithThem() {
    List<Object> values = List.of(new byte[] {1}, new byte[] {2}, new byte[] {3});
    ColumnVector known =
        flat(DataType.BINARY, values).withOrigin(RowOrigin.consecutive("photos", 7, 3));
    Schema schema = Schema.of(Field.nullable("value", DataType.BINARY));
    byte[] frame = BatchFrames.encode(new Batch(schema, List.of(known), 3), allocator);
    try (Batch read = BatchFrames.decode(frame, schema, allocator)) {
      assertEquals(Optional.of("photos row 9"), read.column(0).origin().at(2));
      assertEquals(2, ((byte[]) read.valueAt(0, 1))[0]);
    }
  }

  @Test
  void constantsAndDictionariesStayWhatTheyAre() {
    ColumnVector constant = ConstantVector.of(DataType.STRING, "same", 5, allocator);
    FlatVector codes = flat(DataType.INT32, Arrays.asList(1, 0, null, 1, 1));
    ColumnVector coded = new DictionaryVector(codes, flat(DataType.STRING, List.of("a", "b")));
    Schema schema =
        Schema.of(Field.nullable("c", DataType.STRING), Field.nullable("d", DataType.STRING));
    Batch batch = new Batch(schema, List.of(constant, coded), 5);
    try (Batch back = BatchFrames.decode(BatchFrames.encode(batch, allocator), schema, allocator)) {
      assertInstanceOf(ConstantVector.class, back.column(0));
      assertInstanceOf(DictionaryVector.class, back.column(1));
      assertEquals("same", back.valueAt(0, 4));
      assertEquals(Arrays.asList("b", "a", null, "b", "b"), column(back, 1));
    }
  }

  @Test
  void aDictionaryLargerThanItsRowsIsNotSent() {
    FlatVector codes = flat(DataType.INT32, List.of(2));
    Batch batch = batch(new DictionaryVector(codes, flat(DataType.STRING, List.of("a", "b", "c"))));
    Schema schema = batch.schema();
    try (Batch back = BatchFrames.decode(BatchFrames.encode(batch, allocator), schema, allocator)) {
      assertInstanceOf(FlatVector.class, back.column(0));
      assertEquals("c", back.valueAt(0, 0));
    }
  }

  @Test
  void everyDamagedByteIsNoticed() {
    Batch batch = batch(flat(DataType.STRING, List.of("rain", "sun")));
    Schema schema = batch.schema();
    byte[] frame = BatchFrames.encode(batch, allocator);
    for (int index = 0; index < frame.length; index++) {
      byte[] damaged = frame.clone();
      damaged[index] ^= 4;
      MillraceException error =
          assertThrows(
              MillraceException.class, () -> BatchFrames.decode(damaged, schema, allocator));
      assertEquals(ErrorCode.SHUFFLE_LOST, error.code());
    }
    byte[] cut = Arrays.copyOf(frame, frame.length - 8);
    assertThrows(MillraceException.class, () -> BatchFrames.decode(cut, schema, allocator));
    assertThrows(MillraceException.class, () -> BatchFrames.decode(new byte[0], schema, allocator));
  }

  @Test
  void aFrameReadWithAnotherSchemaFailsWithoutALeak() {
    byte[] frame = BatchFrames.encode(batch(flat(DataType.INT32, List.of(1, 2, 3))), allocator);
    Schema other =
        Schema.of(
            Field.nullable("a", DataType.list(DataType.STRING)),
            Field.nullable("b", DataType.INT64));
    assertThrows(RuntimeException.class, () -> BatchFrames.decode(frame, other, allocator));
    assertTrue(allocator.getAllocatedMemory() == 0);
  }

  private List<Object> roundTrip(Batch batch) {
    Schema schema = batch.schema();
    byte[] frame = BatchFrames.encode(batch, allocator);
    try (Batch back = BatchFrames.decode(frame, schema, allocator)) {
      return column(back, 0);
    }
  }

  private static List<Object> column(Batch batch, int column) {
    List<Object> values = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      values.add(comparable(batch.valueAt(column, row)));
    }
    return values;
  }

  private static Object comparable(Object value) {
    return switch (value) {
      case byte[] bytes -> Arrays.toString(bytes);
      case float[] numbers -> Arrays.toString(numbers);
      case null, default -> value;
    };
  }

  private Batch batch(ColumnVector column) {
    return new Batch(
        Schema.of(Field.nullable("c", column.type())), List.of(column), column.length());
  }

  private FlatVector flat(DataType type, List<?> values) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      for (Object value : values) {
        builder.appendValue(raw(type, value));
      }
      return builder.finish();
    }
  }

  /** Undoes {@link #comparable}. */
  private static Object raw(DataType type, Object value) {
    if (value instanceof String text && type instanceof DataType.Binary) {
      return bytes(text);
    }
    if (value instanceof String text && type instanceof DataType.Embedding) {
      String[] parts = text.substring(1, text.length() - 1).split(", ");
      return new float[] {Float.parseFloat(parts[0]), Float.parseFloat(parts[1])};
    }
    return value;
  }

  private static byte[] bytes(String text) {
    String inner = text.substring(1, text.length() - 1);
    String[] parts = inner.isEmpty() ? new String[0] : inner.split(", ");
    byte[] bytes = new byte[parts.length];
    for (int index = 0; index < parts.length; index++) {
      bytes[index] = Byte.parseByte(parts[index]);
    }
    return bytes;
  }

  private static List<Object> values(DataType type, int count, int nullPercent, Random random) {
    List<Object> values = new ArrayList<>();
    for (int row = 0; row < count; row++) {
      values.add(random.nextInt(100) < nullPercent ? null : comparable(value(type, random)));
    }
    return values;
  }

  private static Object value(DataType type, Random random) {
    return switch (type) {
      case DataType.Bool any -> random.nextBoolean();
      case DataType.Int integer when integer.bits() == 8 -> (byte) random.nextInt();
      case DataType.Int integer when integer.bits() == 32 -> random.nextInt();
      case DataType.Int any -> random.nextLong();
      case DataType.Float any -> random.nextFloat();
      case DataType.Decimal any -> BigDecimal.valueOf(random.nextLong() / 1000, 3);
      case DataType.Text any -> "x".repeat(random.nextInt(5)) + random.nextInt(9);
      case DataType.Binary any -> new byte[random.nextInt(3)];
      case DataType.ListOf list -> values(list.element().type(), random.nextInt(4), 20, random);
      case DataType.FixedList list -> values(list.element().type(), list.length(), 20, random);
      case DataType.Embedding any -> new float[] {random.nextFloat(), random.nextFloat()};
      case DataType.MapOf map ->
          Map.of("k" + random.nextInt(5), values(DataType.INT32, 2, 20, random));
      case DataType.Struct any -> struct(random);
      case DataType.Image any -> new ImageValue(ImageMode.RGB, 1, 2, new byte[6]);
      default -> null;
    };
  }

  private static Map<String, Object> struct(Random random) {
    Map<String, Object> members = new java.util.LinkedHashMap<>();
    members.put("a", random.nextBoolean() ? null : random.nextBoolean());
    members.put("b", random.nextBoolean() ? null : "s" + random.nextInt(100));
    return members;
  }
}
