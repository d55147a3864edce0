package io.millrace.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final DataType STRUCT =
      DataType.struct(Field.nullable("x", DataType.INT32), Field.nullable("y", DataType.STRING));
  private static final Schema SCHEMA =
      Schema.of(
          Field.nullable("id", DataType.INT64),
          Field.nullable("name", DataType.STRING),
          Field.nullable("tags", DataType.list(DataType.STRING)),
          Field.nullable("point", STRUCT),
          Field.nullable("vector", DataType.embedding(DataType.FLOAT32, 2)),
          Field.nullable("flag", DataType.BOOLEAN));

  private final BufferAllocator root = new RootAllocator();

  @AfterEach
  void nothingLeaks() {
    root.close();
  }

  private Batch batch(int rows) {
    return batch(rows, root);
  }

  private static Batch batch(int rows, BufferAllocator allocator) {
    List<VectorBuilder> builders = new ArrayList<>();
    for (DataType type : SCHEMA.types()) {
      builders.add(new VectorBuilder(type, allocator));
    }
    for (int row = 0; row < rows; row++) {
      boolean isNull = row % 3 == 2;
      builders.get(0).appendValue(isNull ? null : (Object) (long) row);
      builders.get(1).appendValue(isNull ? null : "n" + row);
      builders.get(2).appendValue(isNull ? null : Arrays.asList("a" + row, null));
      builders.get(3).appendValue(isNull ? null : Map.of("x", row, "y", "s" + row));
      builders.get(4).appendValue(isNull ? null : new float[] {row, row + 0.5f});
      builders.get(5).appendValue(isNull ? null : row % 2 == 0);
    }
    List<ColumnVector> columns = new ArrayList<>();
    builders.forEach(builder -> columns.add(builder.finish()));
    return new Batch(SCHEMA, columns, rows);
  }

  private static List<List<Object>> rows(Batch batch) {
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      List<Object> values = new ArrayList<>();
      for (int column = 0; column < batch.columnCount(); column++) {
        Object value = batch.valueAt(column, row);
        values.add(value instanceof float[] floats ? Arrays.toString(floats) : value);
      }
      rows.add(values);
    }
    return rows;
  }

  @Test
  void valuesComeBackAsTheyWereAppended() {
    try (Batch batch = batch(4)) {
      assertEquals(
          Arrays.asList(
              1L, "n1", Arrays.asList("a1", null), Map.of("x", 1, "y", "s1"), "[1.0, 1.5]", false),
          rows(batch).get(1));
      assertEquals(Arrays.asList(null, null, null, null, null, null), rows(batch).get(2));
    }
  }

  @Test
  void sliceKeepsRowsAtEveryPosition() {
    try (Batch batch = batch(37)) {
      List<List<Object>> all = rows(batch);
      for (int from = 0; from < 37; from++) {
        try (Batch slice = batch.slice(from, 37 - from);
            Batch inner = slice.slice((37 - from) / 2, (37 - from) - (37 - from) / 2)) {
          assertEquals(all.subList(from, 37), rows(slice));
          assertEquals(all.subList(from + (37 - from) / 2, 37), rows(inner));
        }
      }
    }
  }

  @Test
  void sliceOutlivesItsParent() {
    Batch batch = batch(20);
    List<List<Object>> all = rows(batch);
    try (Batch slice = batch.slice(5, 10)) {
      batch.close();
      assertEquals(all.subList(5, 15), rows(slice));
    }
  }

  @Test
  void compactAppliesTheSelection() {
    Batch batch = batch(10);
    List<List<Object>> all = rows(batch);
    Batch selected = batch.withSelection(new int[] {7, 2, 2, 0, 99}, 4);
    assertEquals(4, selected.rowCount());
    assertEquals(10, selected.physicalRowCount());
    List<List<Object>> expected = List.of(all.get(7), all.get(2), all.get(2), all.get(0));
    assertEquals(expected, rows(selected));
    try (Batch compact = selected.compact(root)) {
      assertNull(compact.selection());
      assertEquals(4, compact.physicalRowCount());
      assertEquals(expected, rows(compact));
    }
  }

  @Test
  void concatJoinsRows() {
    Batch first = batch(5);
    Batch second = batch(9).withSelection(new int[] {8, 1}, 2);
    List<List<Object>> expected = new ArrayList<>(rows(first));
    expected.addAll(rows(second));
    Batch source = batch(13);
    Batch third = source.slice(3, 9);
    source.close();
    expected.addAll(rows(third));
    try (Batch all = Batch.concat(List.of(first, second, third), root)) {
      assertEquals(expected, rows(all));
    }
  }

  @Test
  void useAfterMoveThrows() {
    Batch batch = batch(3);
    Batch moved = batch.move();
    MillraceException failure = assertThrows(MillraceException.class, batch::rowCount);
    assertEquals(ErrorCode.OWNERSHIP_VIOLATION, failure.code());
    assertThrows(MillraceException.class, () -> batch.column(0));
    assertThrows(MillraceException.class, batch::move);
    batch.close();
    assertEquals(3, moved.rowCount());
    moved.close();
    moved.close();
    assertThrows(MillraceException.class, () -> moved.slice(0, 1));
  }

  @Test
  void transferLetsTheMakersAllocatorClose() {
    List<List<Object>> expected;
    Batch moved;
    try (BufferAllocator maker = root.newChildAllocator("maker", 0, Long.MAX_VALUE)) {
      Batch batch = batch(9, maker).withSelection(new int[] {8, 3}, 2);
      expected = rows(batch);
      moved = batch.transferTo(root);
      assertEquals(0, maker.getAllocatedMemory());
    }
    try (moved) {
      assertEquals(expected, rows(moved));
    }
  }

  @Test
  void projectRepeatsAndDropsColumns() {
    try (Batch projected = batch(4).project(List.of(1, 0, 1))) {
      assertEquals(List.of("name", "id", "name"), projected.schema().names());
      assertEquals(List.of("n1", 1L, "n1"), rows(projected).get(1));
    }
  }

  @Test
  void columnsThatDoNotFitAreReleased() {
    FlatVector vector = FlatVector.ofNulls(DataType.INT32, 3, root);
    assertThrows(
        MillraceException.class,
        () -> new Batch(Schema.of(Field.nullable("a", DataType.INT64)), List.of(vector), 3));
    assertEquals(0, root.getAllocatedMemory());
  }

  @Test
  void dictionaryAndConstantReadLikeFlat() {
    try (VectorBuilder words = new VectorBuilder(DataType.STRING, root);
        VectorBuilder codes = new VectorBuilder(DataType.INT32, root)) {
      List.of("red", "green").forEach(words::appendText);
      Arrays.asList(1, 0, null, 1).forEach(codes::appendValue);
      ColumnVector coded = new DictionaryVector(codes.finish(), words.finish());
      ColumnVector constant = ConstantVector.of(DataType.STRING, "blue", 4, root);
      try (Batch batch =
          new Batch(
              Schema.of(
                  Field.nullable("coded", DataType.STRING),
                  Field.nullable("constant", DataType.STRING)),
              List.of(coded, constant),
              4)) {
        List<List<Object>> expected = rows(batch);
        assertEquals(List.of("green", "blue"), expected.get(0));
        assertEquals(Arrays.asList(null, "blue"), expected.get(2));
        try (Batch flat = batch.share().flatten(root);
            Batch twice = Batch.concat(List.of(batch.share(), batch.share()), root)) {
          assertEquals(expected, rows(flat));
          assertTrue(twice.column(0) instanceof DictionaryVector);
          assertEquals(expected, rows(twice).subList(4, 8));
        }
      }
    }
  }
}
