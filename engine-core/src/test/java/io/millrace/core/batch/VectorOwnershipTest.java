package io.millrace.core.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class VectorOwnershipTest {
  private static FlatVector numbers(BufferAllocator allocator, int rows) {
    try (VectorBuilder builder = new VectorBuilder(DataType.INT64, allocator)) {
      for (int row = 0; row < rows; row++) {
        builder.appendLong(row);
      }
      return builder.finish();
    }
  }

  private static void assertViolation(Executable use) {
    assertEquals(ErrorCode.OWNERSHIP_VIOLATION, assertThrows(MillraceException.class, use).code());
  }

  @Test
  void useAfterCloseThrowsInEveryForm() {
    try (RootAllocator root = new RootAllocator()) {
      FlatVector flat = numbers(root, 4);
      DictionaryVector coded = new DictionaryVector(4, 0, null, zeros(root, 4), numbers(root, 1));
      ConstantVector constant = new ConstantVector(numbers(root, 1), 4);
      for (ColumnVector vector : List.of(flat, coded, constant)) {
        vector.close();
        assertViolation(() -> vector.isNull(0));
        assertViolation(vector::retain);
        assertViolation(() -> vector.slice(0, 1));
        assertViolation(vector::retainedBytes);
        assertViolation(() -> vector.flatten(root));
        assertViolation(() -> vector.valueAt(0));
      }
      assertViolation(flat::values);
      assertViolation(coded::codes);
      assertViolation(constant::value);
    }
  }

  private static ArrowBuf zeros(BufferAllocator allocator, int rows) {
    ArrowBuf codes = allocator.buffer(4L * rows);
    codes.setZero(0, codes.capacity());
    return codes;
  }

  @Test
  void closeTwiceReleasesOnce() {
    try (RootAllocator root = new RootAllocator()) {
      FlatVector first = numbers(root, 4);
      try (FlatVector second = first.retain()) {
        first.close();
        first.close();
        assertEquals(3L, second.longAt(3));
      }
    }
  }

  @Test
  void eachHandleIsClosedOnItsOwn() {
    try (RootAllocator root = new RootAllocator()) {
      DictionaryVector vector = new DictionaryVector(4, 0, null, zeros(root, 4), numbers(root, 2));
      ColumnVector retained = vector.retain();
      ColumnVector slice = vector.slice(1, 2);
      FlatVector flat = vector.flatten(root);
      vector.close();
      assertEquals(0L, retained.valueAt(0));
      retained.close();
      assertEquals(0L, slice.valueAt(1));
      slice.close();
      assertEquals(0L, flat.valueAt(3));
      assertTrue(root.getAllocatedMemory() > 0);
      flat.close();
      assertEquals(0, root.getAllocatedMemory());
    }
  }

  @Test
  void aLeakedHandleFailsTheAllocatorsClose() {
    RootAllocator root = new RootAllocator();
    FlatVector vector = numbers(root, 4);
    vector.retain();
    vector.close();
    assertThrows(IllegalStateException.class, root::close);
  }

  @Test
  void faultyPartsAreReleased() {
    try (RootAllocator root = new RootAllocator()) {
      assertThrows(
          MillraceException.class,
          () -> FlatVector.ofFixedWidth(DataType.INT64, 9, 0, null, root.buffer(64)));
      assertThrows(
          MillraceException.class,
          () -> FlatVector.ofFixedWidth(DataType.INT64, 8, 1, null, root.buffer(64)));
      assertThrows(
          MillraceException.class,
          () ->
              FlatVector.ofVariableWidth(
                  DataType.STRING, 1, 0, null, root.buffer(4), root.buffer(4)));
      FlatVector child = numbers(root, 3);
      assertThrows(
          MillraceException.class,
          () ->
              FlatVector.ofNested(
                  DataType.fixedList(DataType.INT64, 2), 2, 0, null, null, List.of(child)));
      FlatVector two = numbers(root, 2);
      assertThrows(MillraceException.class, () -> new ConstantVector(two, 4));
      assertEquals(0, root.getAllocatedMemory());
    }
  }

  @Test
  void sharedMemoryIsChargedOnce() {
    try (RootAllocator root = new RootAllocator();
        FlatVector dictionary = numbers(root, 1000)) {
      Schema schema =
          Schema.of(Field.nullable("a", DataType.INT64), Field.nullable("b", DataType.INT64));
      try (Batch batch =
          new Batch(
              schema,
              List.of(
                  new DictionaryVector(2, 0, null, zeros(root, 2), dictionary.retain()),
                  new DictionaryVector(2, 0, null, zeros(root, 2), dictionary.retain())),
              2)) {
        assertTrue(batch.retainedBytes() < 2 * dictionary.retainedBytes());
        assertTrue(batch.retainedBytes() >= dictionary.retainedBytes());
      }
    }
  }

  @Test
  void consumingCallsLeaveNothingWhenTheyFail() {
    try (RootAllocator root = new RootAllocator()) {
      Schema schema = Schema.of(Field.nullable("a", DataType.INT64));
      Batch projected = new Batch(schema, List.of(numbers(root, 3)), 3);
      assertThrows(MillraceException.class, () -> projected.project(List.of(1)));
      assertTrue(projected.isGone());
      Batch selected = new Batch(schema, List.of(numbers(root, 3)), 3);
      assertThrows(MillraceException.class, () -> selected.withSelection(new int[1], 2));
      Batch replaced = new Batch(schema, List.of(numbers(root, 3)), 3);
      assertThrows(
          MillraceException.class, () -> replaced.withColumns(schema, List.of(numbers(root, 2))));
      for (int row : new int[] {3, -1}) {
        Batch outside = new Batch(schema, List.of(numbers(root, 3)), 3);
        assertThrows(MillraceException.class, () -> outside.withSelection(new int[] {0, row}, 2));
      }
      assertEquals(0, root.getAllocatedMemory());
    }
  }

  @Test
  void takenColumnsBelongToTheCaller() {
    try (RootAllocator root = new RootAllocator()) {
      Batch batch =
          new Batch(Schema.of(Field.nullable("a", DataType.INT64)), List.of(numbers(root, 3)), 3);
      List<ColumnVector> columns = batch.takeColumns();
      assertTrue(batch.isGone());
      batch.close();
      assertEquals(2L, columns.get(0).valueAt(2));
      columns.get(0).close();
    }
  }

  @Test
  void multimodalTypesAreViewsOfTheirStorage() {
    try (RootAllocator root = new RootAllocator();
        ConstantVector constant =
            ConstantVector.of(DataType.fixedList(DataType.FLOAT32, 2), List.of(1f, 2f), 1, root);
        FlatVector storage = constant.flatten(root);
        FlatVector embedding = storage.withType(DataType.embedding(DataType.FLOAT32, 2))) {
      assertArrayEquals(new float[] {1, 2}, (float[]) embedding.valueAt(0));
      assertThrows(
          MillraceException.class, () -> storage.withType(DataType.embedding(DataType.FLOAT32, 3)));
    }
  }
}
