package io.millrace.exec.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.RandomTypes;
import io.millrace.testkit.RootAllocatorFixture;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A set of keys never drops a row that has one of them, and drops what integers show. */
class KeySetTest {
  @RegisterExtension private final RootAllocatorFixture root = new RootAllocatorFixture();

  private List<List<Object>> column(Object... values) {
    return Arrays.stream(values).map(Arrays::asList).toList();
  }

  private KeySet setOf(Schema schema, List<List<Object>> rows) {
    BatchGenerators batches = new BatchGenerators(1, root.allocator());
    try (Batch batch = batches.of(schema, rows, BatchForm.FLAT)) {
      return KeySet.of(batch, 0);
    }
  }

  private Set<Integer> selected(
      KeySet keys, Schema schema, List<List<Object>> rows, BatchForm form) {
    BatchGenerators batches = new BatchGenerators(2, root.allocator());
    try (Batch batch = batches.of(schema, rows, form)) {
      int[] passing = new int[batch.rowCount()];
      int count = keys.select(batch.column(0), batch.selection(), batch.rowCount(), passing);
      Set<Integer> found = new HashSet<>();
      for (int index = 0; index < count; index++) {
        for (int row = 0; row < batch.rowCount(); row++) {
          if (batch.physicalRow(row) == passing[index]) {
            found.add(row);
          }
        }
      }
      return found;
    }
  }

  @Test
  void tellsNearIntegersExactly() {
    Schema schema = Schema.of(Field.nullable("key", DataType.INT32));
    KeySet keys = setOf(schema, column(5, 9, null, 130));
    for (BatchForm form : BatchForm.values()) {
      assertEquals(
          Set.of(1, 4, 5), selected(keys, schema, column(4, 5, 6, null, 9, 130, 131), form));
    }
    assertTrue(keys.mayContainBetween(0, 5));
    assertFalse(keys.mayContainBetween(0, 4));
    assertFalse(keys.mayContainBetween(10, 129));
    assertTrue(keys.mayContainBetween(100, 130));
    assertFalse(keys.mayContainBetween(131, Long.MAX_VALUE));
  }

  @Test
  void holdsNothingOfNoRows() {
    Schema schema = Schema.of(Field.nullable("key", DataType.INT64));
    KeySet keys = setOf(schema, column((Object) null));
    assertEquals(Set.of(), selected(keys, schema, column(0L, null, 5L), BatchForm.FLAT));
    assertFalse(keys.mayContainBetween(Long.MIN_VALUE, Long.MAX_VALUE));
  }

  @Test
  void boundsFarIntegers() {
    Schema schema = Schema.of(Field.nullable("key", DataType.INT64));
    KeySet keys = setOf(schema, column(-1L, Long.MAX_VALUE));
    assertEquals(
        Set.of(0, 2), selected(keys, schema, column(-1L, -2L, Long.MAX_VALUE), BatchForm.FLAT));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void keepsKeysOfRandomTypes(int seed) {
    Schema schema = new RandomTypes(new Random(seed)).schema(1, seed % 3);
    List<List<Object>> rows = new BatchGenerators(seed, root.allocator()).rows(schema, 30);
    KeySet keys = setOf(schema, rows);
    Set<Integer> present = new HashSet<>();
    for (int row = 0; row < rows.size(); row++) {
      if (rows.get(row).get(0) != null) {
        present.add(row);
      }
    }
    for (BatchForm form : BatchForm.values()) {
      assertEquals(present, selected(keys, schema, rows, form), form + " " + schema);
    }
  }
}
