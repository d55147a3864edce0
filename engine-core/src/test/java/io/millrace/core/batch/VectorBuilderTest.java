package io.millrace.core.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.ImageMode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VectorBuilderTest {
  private final BufferAllocator root = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    root.close();
  }

  private ErrorCode refusal(DataType type, Object value) {
    try (VectorBuilder builder = new VectorBuilder(type, root)) {
      return assertThrows(MillraceException.class, () -> builder.appendValue(value)).code();
    }
  }

  private Object roundTrip(DataType type, Object value) {
    try (VectorBuilder builder = new VectorBuilder(type, root)) {
      builder.appendValue(value);
      try (FlatVector vector = builder.finish()) {
        return vector.valueAt(0);
      }
    }
  }

  @Test
  void closeWithoutFinishReleases() {
    VectorBuilder builder = new VectorBuilder(DataType.list(DataType.STRING), root);
    builder.appendValue(List.of("a", "b"));
    builder.appendNull();
    assertTrue(root.getAllocatedMemory() > 0);
    builder.close();
    builder.close();
    assertEquals(0, root.getAllocatedMemory());
  }

  @Test
  void builderIsUsableAgainAfterFinish() {
    try (VectorBuilder builder = new VectorBuilder(DataType.STRING, root)) {
      builder.appendText("first");
      try (FlatVector first = builder.finish()) {
        builder.appendNull();
        builder.appendText("second");
        try (FlatVector second = builder.finish()) {
          assertEquals("first", first.textAt(0));
          assertEquals(2, second.length());
          assertEquals(1, second.nullCount());
          assertEquals("second", second.textAt(1));
        }
      }
    }
  }

  @Test
  void emptyVectorsHaveAnOffset() {
    for (DataType type : List.of(DataType.STRING, DataType.list(DataType.BINARY), DataType.NULL)) {
      try (VectorBuilder builder = new VectorBuilder(type, root);
          FlatVector vector = builder.finish()) {
        assertEquals(0, vector.length());
        assertEquals(0, vector.nullCount());
      }
    }
  }

  @Test
  void validityIsAbsentWithoutNulls() {
    try (VectorBuilder builder = new VectorBuilder(DataType.INT32, root)) {
      builder.appendLong(1);
      try (FlatVector vector = builder.finish()) {
        assertNull(vector.validity());
        assertTrue(vector.hasNoNulls());
      }
    }
  }

  @Test
  void firstNullAtEveryPosition() {
    for (int nullRow = 0; nullRow < 20; nullRow++) {
      try (VectorBuilder builder = new VectorBuilder(DataType.INT64, root)) {
        for (int row = 0; row < 20; row++) {
          if (row == nullRow) {
            builder.appendNull();
          } else {
            builder.appendLong(row);
          }
        }
        try (FlatVector vector = builder.finish()) {
          for (int row = 0; row < 20; row++) {
            assertEquals(row == nullRow ? null : (Object) (long) row, vector.valueAt(row));
          }
          assertEquals(1, vector.nullCount());
        }
      }
    }
  }

  @Test
  void requiredMembersUnderANullRowHoldZeroNotNull() {
    DataType struct =
        DataType.struct(Field.required("a", DataType.INT32), Field.nullable("b", DataType.STRING));
    try (VectorBuilder builder = new VectorBuilder(struct, root)) {
      builder.appendNull();
      builder.appendValue(Map.of("a", 5, "b", "x"));
      try (FlatVector vector = builder.finish()) {
        assertEquals(0, vector.child(0).nullCount());
        assertEquals(1, vector.child(1).nullCount());
        assertNull(vector.valueAt(0));
        assertEquals(Map.of("a", 5, "b", "x"), vector.valueAt(1));
      }
    }
  }

  @Test
  void nestedRowsByHand() {
    try (VectorBuilder lists = new VectorBuilder(DataType.list(DataType.INT32), root)) {
      lists.child(0).appendLong(1);
      lists.child(0).appendLong(2);
      lists.endList();
      lists.endList();
      lists.appendNull();
      lists.child(0).appendLong(3);
      lists.endList();
      try (FlatVector vector = lists.finish()) {
        assertEquals(List.of(1, 2), vector.valueAt(0));
        assertEquals(List.of(), vector.valueAt(1));
        assertNull(vector.valueAt(2));
        assertEquals(List.of(3), vector.valueAt(3));
      }
    }
  }

  @Test
  void wrongShapesAreRefused() {
    assertEquals(
        ErrorCode.MALFORMED_VALUE,
        refusal(DataType.embedding(DataType.FLOAT32, 3), new float[] {1, 2}));
    assertEquals(ErrorCode.MALFORMED_VALUE, refusal(new DataType.FixedBinary(4), new byte[3]));
    assertEquals(
        ErrorCode.MALFORMED_VALUE,
        refusal(
            new DataType.Image(Optional.of(ImageMode.RGB)),
            new ImageValue(ImageMode.L, 1, 1, new byte[1])));
    assertEquals(
        ErrorCode.MALFORMED_VALUE,
        refusal(
            new DataType.Image(Optional.empty()),
            new ImageValue(ImageMode.RGB, 2, 2, new byte[11])));
    assertEquals(ErrorCode.TYPE_MISMATCH, refusal(DataType.INT32, "one"));
    assertEquals(ErrorCode.TYPE_MISMATCH, refusal(DataType.STRING, 1));
    assertEquals(ErrorCode.TYPE_MISMATCH, refusal(DataType.list(DataType.INT32), 1));
  }

  @Test
  void numbersOutOfRangeAreRefused() {
    assertEquals(ErrorCode.NUMERIC_OVERFLOW, refusal(DataType.INT8, 128));
    assertEquals(ErrorCode.NUMERIC_OVERFLOW, refusal(DataType.UINT8, -1));
    assertEquals(ErrorCode.NUMERIC_OVERFLOW, refusal(DataType.UINT8, 256));
    assertEquals(ErrorCode.NUMERIC_OVERFLOW, refusal(DataType.INT64, 1.5));
    assertEquals(ErrorCode.NUMERIC_OVERFLOW, refusal(DataType.INT64, Double.NaN));
    assertEquals(
        ErrorCode.NUMERIC_OVERFLOW, refusal(DataType.decimal(3, 1), new BigDecimal("100")));
    assertEquals(new BigDecimal("99.9"), roundTrip(DataType.decimal(3, 1), 99.9));
    assertEquals((byte) -128, roundTrip(DataType.INT8, -128L));
    assertEquals(
        new BigInteger("18446744073709551615"),
        roundTrip(DataType.UINT64, new BigInteger("18446744073709551615")));
  }

  @Test
  void decimalsKeepSignAndSize() {
    DataType.Decimal type = DataType.decimal(38, 10);
    for (String text :
        List.of(
            "0E-10",
            "-0.0000000001",
            "9999999999999999999999999999.9999999999",
            "-9999999999999999999999999999.9999999999",
            "1844674407.3709551616")) {
      assertEquals(new BigDecimal(text).setScale(10), roundTrip(type, new BigDecimal(text)), text);
    }
  }

  @Test
  void bytesWrittenGrow() {
    try (VectorBuilder builder = new VectorBuilder(DataType.STRING, root)) {
      assertEquals(0, builder.bytes());
      builder.appendText("x".repeat(1000));
      assertTrue(builder.bytes() >= 1000 && builder.bytes() <= builder.allocatedBytes());
    }
  }

  @Test
  void appendFromCopiesRowsOfAnyType() {
    DataType type =
        DataType.list(
            DataType.struct(
                Field.nullable("m", DataType.map(DataType.STRING, DataType.INT32)),
                Field.nullable("f", DataType.fixedList(DataType.BOOLEAN, 2))));
    Object value =
        List.of(
            Map.of("m", Map.of("k", 1), "f", Arrays.asList(true, null)),
            Map.of("m", Map.of(), "f", List.of(false, true)));
    try (VectorBuilder source = new VectorBuilder(type, root);
        VectorBuilder copy = new VectorBuilder(type, root)) {
      source.appendValue(value);
      source.appendNull();
      try (FlatVector vector = source.finish()) {
        copy.appendFrom(vector, 1);
        copy.appendFrom(vector, 0);
      }
      try (FlatVector vector = copy.finish()) {
        assertNull(vector.valueAt(0));
        assertEquals(value, vector.valueAt(1));
      }
    }
  }

  @Test
  void embeddingsReadAsPrimitiveArrays() {
    assertArrayEquals(
        new float[] {1, 2},
        (float[]) roundTrip(DataType.embedding(DataType.FLOAT32, 2), List.of(1, 2)));
    assertArrayEquals(
        new byte[] {1, -2},
        (byte[]) roundTrip(DataType.embedding(DataType.INT8, 2), new byte[] {1, -2}));
  }
}
