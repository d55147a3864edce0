package io.millrace.exec.operator.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.IntervalValue;
import io.millrace.core.batch.SparseTensorValue;
import io.millrace.core.batch.TensorValue;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RandomTypes;
import io.millrace.testkit.RootAllocatorFixture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys of every type: equal rows, and only those, get equal numbers, and come back as they were.
 */
class KeyTableTest {
  @RegisterExtension private final RootAllocatorFixture root = new RootAllocatorFixture();

  /** Numbers by plain Java, floats made canonical. */
  private static final class Reference {
    private final Map<Object, Integer> numbers = new HashMap<>();
    private final List<List<Object>> keys = new ArrayList<>();

    int number(List<Object> row) {
      Object key = canonical(row);
      return numbers.computeIfAbsent(
          key,
          ignored -> {
            keys.add(row);
            return keys.size() - 1;
          });
    }
  }

  private static Object canonical(Object value) {
    return switch (value) {
      case null -> "null";
      case Double number -> number == 0 ? (Object) 0.0 : number;
      case Float number -> number == 0 ? (Object) 0.0f : number;
      case List<?> list -> list.stream().map(KeyTableTest::canonical).toList();
      case Map<?, ?> map -> {
        List<Object> entries = new ArrayList<>();
        map.forEach((key, item) -> entries.add(List.of(canonical(key), canonical(item))));
        yield entries;
      }
      case TensorValue tensor ->
          List.of(BatchRows.comparable(tensor.shape()), canonical(tensor.elements()));
      case SparseTensorValue tensor ->
          List.of(
              BatchRows.comparable(tensor.shape()),
              BatchRows.comparable(tensor.indices()),
              canonical(tensor.values()));
      case IntervalValue interval -> {
        long dayNanos = 86_400_000_000_000L;
        yield List.of(
            30L * interval.months()
                + interval.days()
                + Math.floorDiv(interval.nanoseconds(), dayNanos),
            Math.floorMod(interval.nanoseconds(), dayNanos));
      }
      default -> value;
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void numbersKeysOfRandomTypes(int seed) {
    Random random = new Random(seed);
    Schema schema = new RandomTypes(random).schema(3, seed % 3);
    BatchGenerators batches = new BatchGenerators(seed, root.allocator());
    List<Integer> columns = IntStream.range(0, schema.size()).boxed().toList();
    KeyRows rows = KeyRows.ofGroups(schema.types());
    Reference reference = new Reference();
    List<List<Object>> pool = batches.rows(schema, 40);
    try (KeyTable table = new KeyTable(rows, root.allocator())) {
      for (BatchForm form : BatchForm.values()) {
        List<List<Object>> chosen = new ArrayList<>();
        for (int row = 0; row < 60; row++) {
          chosen.add(pool.get(random.nextInt(pool.size())));
        }
        try (Batch batch = batches.of(schema, chosen, form)) {
          rows.encode(batch, columns);
          long limit = table.bytesWith(rows);
          int[] numbers = new int[batch.rowCount()];
          table.assign(rows, numbers);
          assertTrue(table.bytes() <= limit, "the estimate is too small");
          List<List<Object>> read = BatchRows.of(batch);
          for (int row = 0; row < numbers.length; row++) {
            assertEquals(reference.number(read.get(row)), numbers[row], form + " " + schema);
          }
          int[] found = new int[batch.rowCount()];
          table.find(rows, found);
          for (int row = 0; row < found.length; row++) {
            assertEquals(numbers[row], found[row]);
          }
        }
      }
      assertEquals(reference.keys.size(), table.size());
      for (int column = 0; column < schema.size(); column++) {
        try (FlatVector decoded = table.column(column, 0, table.size(), root.allocator())) {
          for (int number = 0; number < table.size(); number++) {
            assertEquals(
                canonical(reference.keys.get(number).get(column)),
                canonical(BatchRows.comparable(decoded.valueAt(number))));
          }
        }
      }
    }
  }

  @Test
  void growsOverManyKeys() {
    Schema schema = Schema.of(Field.required("key", DataType.INT64));
    KeyRows rows = KeyRows.ofGroups(schema.types());
    BatchGenerators batches = new BatchGenerators(1, root.allocator());
    try (KeyTable table = new KeyTable(rows, root.allocator())) {
      for (int part = 0; part < 20; part++) {
        List<List<Object>> values = new ArrayList<>();
        for (long row = 0; row < 5_000; row++) {
          values.add(List.of(part * 2_500L + row));
        }
        try (Batch batch = batches.of(schema, values, BatchForm.FLAT)) {
          rows.encode(batch, List.of(0));
          int[] numbers = new int[values.size()];
          table.assign(rows, numbers);
          for (int row = 0; row < numbers.length; row++) {
            assertEquals(values.get(row).get(0), (long) numbers[row]);
          }
        }
      }
      assertEquals(52_500, table.size());
    }
  }

  @Test
  void placesRowsTheSameWayInEveryFormAndProcess() {
    Schema schema =
        Schema.of(
            Field.nullable("text", DataType.STRING), Field.nullable("number", DataType.FLOAT64));
    List<List<Object>> values = new ArrayList<>();
    for (int row = 0; row < 32; row++) {
      values.add(java.util.Arrays.asList("k" + row % 8, row % 2 == 0 ? (Object) (-0.0) : 0.0));
    }
    BatchGenerators batches = new BatchGenerators(1, root.allocator());
    // Fixed numbers: a change would let workers of two versions place rows differently.
    int[] expected = {0, 3, 3, 1, 1, 1, 3, 3};
    for (BatchForm form : BatchForm.values()) {
      try (Batch batch = batches.of(schema, values, form)) {
        int[] partitions = new int[batch.rowCount()];
        new Partitioner(schema.types(), List.of(0, 1), 4).place(batch, partitions);
        assertArrayEquals(expected, java.util.Arrays.copyOf(partitions, 8), form.name());
        for (int row = 8; row < partitions.length; row++) {
          assertEquals(expected[row % 8], partitions[row], form + " row " + row);
        }
      }
    }
  }
}
