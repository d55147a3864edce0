package io.millrace.testkit;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.apache.arrow.memory.BufferAllocator;

/** Batches of given or random rows in every form; the same seed gives the same batches. */
public final class BatchGenerators {
  private final BufferAllocator allocator;
  private final Random random;
  private final RandomValues values;

  public BatchGenerators(long seed, BufferAllocator allocator) {
    this.allocator = allocator;
    this.random = new Random(seed);
    this.values = new RandomValues(random);
  }

  /** Random rows of a schema, in one form. For CONSTANT all rows are equal. */
  public Batch batch(Schema schema, int rowCount, BatchForm form) {
    List<List<Object>> rows = rows(schema, rowCount);
    if (form == BatchForm.CONSTANT) {
      rows.replaceAll(row -> rows.get(0));
    }
    return of(schema, rows, form);
  }

  /** Random rows as Java values. */
  public List<List<Object>> rows(Schema schema, int rowCount) {
    List<List<Object>> rows = new ArrayList<>(rowCount);
    for (int row = 0; row < rowCount; row++) {
      List<Object> line = new ArrayList<>(schema.size());
      schema.fields().forEach(field -> line.add(values.value(field)));
      rows.add(line);
    }
    return rows;
  }

  /** The given rows, in one form. */
  public Batch of(Schema schema, List<List<Object>> rows, BatchForm form) {
    return switch (form) {
      case FLAT -> flat(schema, rows);
      case DICTIONARY -> new Batch(schema, dictionaries(schema, rows), rows.size());
      case CONSTANT -> new Batch(schema, constants(schema, rows), rows.size());
      case SELECTION -> selected(schema, rows, BatchForm.FLAT);
      case SLICED -> sliced(schema, rows, BatchForm.FLAT);
      case ALL_AT_ONCE -> {
        try (Batch whole = selected(schema, padded(schema, rows, 3), BatchForm.DICTIONARY)) {
          yield whole.slice(3, rows.size());
        }
      }
    };
  }

  /** The given rows in batches of at most this many rows, each in the given form. */
  public List<Batch> batches(
      Schema schema, List<List<Object>> rows, int batchRows, BatchForm form) {
    List<Batch> batches = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += batchRows) {
      batches.add(of(schema, rows.subList(from, Math.min(rows.size(), from + batchRows)), form));
    }
    return batches;
  }

  private Batch flat(Schema schema, List<List<Object>> rows) {
    return new Batch(
        schema, columns(schema, rows, (field, items) -> vector(field.type(), items)), rows.size());
  }

  /** A flat vector of the given values, owned by the caller. */
  public FlatVector vector(DataType type, List<Object> items) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      items.forEach(builder::appendValue);
      return builder.finish();
    }
  }

  private static List<Object> column(List<List<Object>> rows, int index) {
    List<Object> items = new ArrayList<>(rows.size());
    rows.forEach(row -> items.add(row.get(index)));
    return items;
  }

  private List<ColumnVector> dictionaries(Schema schema, List<List<Object>> rows) {
    return columns(
        schema,
        rows,
        (field, items) ->
            field.type().equals(DataType.NULL)
                ? vector(field.type(), items)
                : dictionary(field, items));
  }

  /** Equal values share an entry; a few entries are used by no row. */
  private DictionaryVector dictionary(Field field, List<Object> items) {
    List<Object> entries = new ArrayList<>();
    Map<Object, Integer> codes = new HashMap<>();
    entries.add(values.value(field.type()));
    List<Object> coded = new ArrayList<>(items.size());
    for (Object item : items) {
      if (item == null) {
        coded.add(null);
        continue;
      }
      coded.add(
          codes.computeIfAbsent(
              BatchRows.comparable(item),
              key -> {
                entries.add(item);
                return entries.size() - 1;
              }));
    }
    entries.add(values.value(field.type()));
    return new DictionaryVector(vector(DataType.INT32, coded), vector(field.type(), entries));
  }

  private List<ColumnVector> constants(Schema schema, List<List<Object>> rows) {
    return columns(
        schema,
        rows,
        (field, items) -> {
          long distinct = items.stream().map(BatchRows::comparable).distinct().limit(2).count();
          return distinct == 1
              ? new ConstantVector(vector(field.type(), items.subList(0, 1)), rows.size())
              : vector(field.type(), items);
        });
  }

  private static List<ColumnVector> columns(
      Schema schema, List<List<Object>> rows, BiFunction<Field, List<Object>, ColumnVector> form) {
    List<ColumnVector> columns = new ArrayList<>(schema.size());
    try {
      for (int index = 0; index < schema.size(); index++) {
        columns.add(form.apply(schema.field(index), column(rows, index)));
      }
      return columns;
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
  }

  private Batch selected(Schema schema, List<List<Object>> rows, BatchForm form) {
    List<List<Object>> physical = new ArrayList<>();
    int[] selection = new int[rows.size()];
    for (int row = 0; row < rows.size(); row++) {
      if (random.nextInt(3) != 0) {
        physical.addAll(rows(schema, 1 + random.nextInt(2)));
      }
      selection[row] = physical.size();
      physical.add(rows.get(row));
    }
    physical.addAll(rows(schema, 1));
    return of(schema, physical, form).withSelection(selection, rows.size());
  }

  private Batch sliced(Schema schema, List<List<Object>> rows, BatchForm form) {
    int before = 1 + random.nextInt(9);
    try (Batch whole = of(schema, padded(schema, rows, before), form)) {
      return whole.slice(before, rows.size());
    }
  }

  private List<List<Object>> padded(Schema schema, List<List<Object>> rows, int before) {
    List<List<Object>> all = new ArrayList<>(rows(schema, before));
    all.addAll(rows);
    all.addAll(rows(schema, 2));
    return all;
  }
}
