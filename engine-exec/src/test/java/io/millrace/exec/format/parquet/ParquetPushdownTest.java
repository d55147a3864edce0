package io.millrace.exec.format.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalExpression.Call;
import io.millrace.core.plan.PhysicalExpression.Constant;
import io.millrace.core.plan.PhysicalExpression.InSet;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.plan.PhysicalExpression.Logical;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RuntimeFilter;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.format.parquet.write.ParquetOutput;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import org.apache.parquet.format.CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters inside of the scan give the rows that filters above it give. */
class ParquetPushdownTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.required("id", DataType.INT64),
          Field.nullable("small", DataType.INT32),
          Field.nullable("wide", DataType.UINT64),
          Field.nullable("real", DataType.FLOAT64),
          Field.nullable("single", DataType.FLOAT32),
          Field.nullable("price", DataType.decimal(15, 2)),
          Field.nullable("huge", DataType.decimal(38, 4)),
          Field.nullable("name", DataType.STRING),
          Field.nullable("day", DataType.DATE),
          Field.nullable("seen", DataType.timestamp(TimeUnit.MICROSECOND)),
          Field.nullable("flag", DataType.BOOLEAN),
          Field.nullable("numbers", DataType.list(DataType.INT32)),
          Field.nullable("long_text", DataType.STRING));
  private static final double[] REALS = {
    Double.NaN, -0.0, 0.0, 1.5, -2.25, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300
  };
  private static final List<String> COMPARISONS = List.of("eq", "ne", "lt", "le", "gt", "ge");

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private TableScan scan(int batchRows) {
    return new TableScan(
        new ParquetConnector(),
        new ConnectorContext(
            root.allocator(),
            ForkJoinPool.commonPool(),
            new SchemeStores(),
            Configuration.DEFAULTS.with(Settings.BATCH_ROWS, batchRows)));
  }

  /** Values near each other in each row group, so that some groups can be left out. */
  private static List<List<Object>> rows(Random random, int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < count; row++) {
      long base = row / 50;
      long value = base * 10 + random.nextInt(12) - 40;
      boolean allNull = base == 3;
      rows.add(
          Arrays.asList(
              row,
              unless(allNull || random.nextInt(5) == 0, (int) value),
              unless(random.nextInt(5) == 0, BigInteger.TWO.pow(63).add(BigInteger.valueOf(value))),
              unless(random.nextInt(6) == 0, base < 3 ? REALS[random.nextInt(8)] : value / 4.0),
              unless(random.nextInt(6) == 0, (float) (base < 2 ? REALS[random.nextInt(7)] : value)),
              unless(random.nextInt(5) == 0, BigDecimal.valueOf(value * 33, 2)),
              unless(allNull, BigDecimal.valueOf(value, 4).multiply(BigDecimal.TEN).setScale(4)),
              unless(random.nextInt(7) == 0, "n" + (char) ('a' + base % 20) + random.nextInt(9)),
              unless(random.nextInt(7) == 0, LocalDate.of(1970, 1, 10).plusDays(value)),
              LocalDateTime.of(1970, 1, 1, 0, 0).plusSeconds(value),
              unless(random.nextInt(7) == 0, base % 4 == 0 ? base % 8 == 0 : random.nextBoolean()),
              unless(random.nextInt(4) == 0, List.of((int) value, 2).subList(0, random.nextInt(3))),
              ("long " + (char) ('a' + base % 20)).repeat(20) + random.nextInt(4)));
    }
    return rows;
  }

  private static Object unless(boolean absent, Object value) {
    return absent ? null : value;
  }

  private Path write(List<List<Object>> rows) throws Exception {
    Path file = folder.resolve("data.parquet");
    try (OutputStream stream = Files.newOutputStream(file)) {
      ParquetOutput output =
          new ParquetOutput(stream, SCHEMA, CompressionCodec.SNAPPY, 50, root.allocator());
      output.write(new BatchGenerators(1, root.allocator()).of(SCHEMA, rows, BatchForm.FLAT));
      output.finish();
    }
    return file;
  }

  private static PhysicalExpression conjunct(Random random, List<List<Object>> rows) {
    int column = random.nextInt(11);
    DataType type = SCHEMA.field(column).type();
    Input input = new Input(column, type);
    Constant constant = new Constant(rows.get(random.nextInt(rows.size())).get(column), type);
    String comparison = COMPARISONS.get(random.nextInt(6));
    return switch (random.nextInt(8)) {
      case 0 -> new Call("is_null", List.of(input), DataType.BOOLEAN);
      case 1 -> new Call("is_not_null", List.of(input), DataType.BOOLEAN);
      case 2 -> {
        List<Object> candidates = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
          Object candidate = rows.get(random.nextInt(rows.size())).get(column);
          if (candidate != null) {
            candidates.add(candidate);
          }
        }
        yield new InSet(input, candidates, random.nextInt(4) == 0, random.nextInt(3) == 0);
      }
      case 3 -> new Call(comparison, List.of(constant, input), DataType.BOOLEAN);
      case 4 ->
          new Logical(
              random.nextBoolean(), List.of(conjunct(random, rows), conjunct(random, rows)));
      default -> new Call(comparison, List.of(input, constant), DataType.BOOLEAN);
    };
  }

  private static List<List<Object>> taken(List<Batch> batches) {
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch : batches) {
      rows.addAll(BatchRows.of(batch));
      batch.close();
    }
    return rows;
  }

  private List<List<Object>> filteredAbove(Path file, List<PhysicalExpression> conjuncts)
      throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    PhysicalExpression all =
        conjuncts.size() == 1 ? conjuncts.getFirst() : new Logical(true, conjuncts);
    try (CompiledPredicate filter =
        ExpressionCompiler.discovered().compilePredicate(all, root.allocator())) {
      for (Batch batch : scan(64).read(file)) {
        int[] selection = new int[batch.rowCount()];
        int count = filter.select(batch, selection);
        try (Batch selected = batch.withSelection(selection, count)) {
          rows.addAll(BatchRows.of(selected));
        }
      }
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void sameRowsWithAndWithoutPushdown(long seed) throws Exception {
    Random random = new Random(seed);
    List<List<Object>> rows = rows(random, 1000);
    Path file = write(rows);
    for (int round = 0; round < 120; round++) {
      List<PhysicalExpression> conjuncts = new ArrayList<>();
      for (int index = 0; index <= random.nextInt(3); index++) {
        conjuncts.add(conjunct(random, rows));
      }
      int batchRows = 1 + random.nextInt(60);
      assertEquals(
          filteredAbove(file, conjuncts),
          taken(scan(batchRows).filters(conjuncts).read(file)),
          "round " + round + " " + conjuncts);
      List<Batch> counted = scan(batchRows).columns(List.of()).filters(conjuncts).read(file);
      int count = counted.stream().mapToInt(Batch::rowCount).sum();
      counted.forEach(Batch::close);
      assertEquals(filteredAbove(file, conjuncts).size(), count);
      List<List<Object>> flat =
          filteredAbove(file, conjuncts).stream().map(row -> row.subList(1, 11)).toList();
      assertEquals(
          flat,
          taken(
              scan(batchRows)
                  .columns(SCHEMA.names().subList(1, 11))
                  .filters(conjuncts)
                  .read(file)));
      List<String> some = List.of("numbers", "long_text", "id");
      List<List<Object>> expected =
          filteredAbove(file, conjuncts).stream()
              .map(row -> Arrays.asList(row.get(11), row.get(12), row.get(0)))
              .toList();
      assertEquals(expected, taken(scan(batchRows).columns(some).filters(conjuncts).read(file)));
    }
  }

  /** Keeps values that stand in a set, as the keys of a join would. */
  private record KeySet(int column, Set<Object> keys) implements RuntimeFilter {
    @Override
    public boolean mayMatch(long least, long greatest) {
      return keys.stream()
          .anyMatch(
              key -> {
                long value =
                    key instanceof LocalDate day ? day.toEpochDay() : ((Number) key).longValue();
                return value >= least && value <= greatest;
              });
    }

    @Override
    public int select(ColumnVector values, int[] rows, int count, int[] passing) {
      int found = 0;
      for (int position = 0; position < count; position++) {
        int row = rows == null ? position : rows[position];
        if (!values.isNull(row) && keys.contains(values.valueAt(row))) {
          passing[found++] = row;
        }
      }
      return found;
    }

    @Override
    public boolean isUseful() {
      return true;
    }
  }

  @Test
  void runtimeFiltersGiveTheRowsThatTheyKeep() throws Exception {
    Random random = new Random(11);
    List<List<Object>> rows = rows(random, 1000);
    Path file = write(rows);
    List<String> columns = List.of("name", "small", "day", "id", "price");
    for (int round = 0; round < 60; round++) {
      Set<Object> numbers = new HashSet<>();
      Set<Object> days = new HashSet<>();
      for (int index = 0; index < 1 + random.nextInt(40); index++) {
        List<Object> row = rows.get(random.nextInt(rows.size()));
        numbers.add(row.get(1));
        days.add(row.get(8));
      }
      numbers.remove(null);
      days.remove(null);
      boolean both = random.nextBoolean();
      List<RuntimeFilter> filters =
          both
              ? List.of(new KeySet(1, numbers), new KeySet(2, days))
              : List.of(new KeySet(2, days));
      List<PhysicalExpression> conjuncts = List.of(conjunct(random, rows));
      List<List<Object>> expected =
          filteredAbove(file, conjuncts).stream()
              .filter(row -> days.contains(row.get(8)) && (!both || numbers.contains(row.get(1))))
              .map(row -> Arrays.asList(row.get(7), row.get(1), row.get(8), row.get(0), row.get(5)))
              .toList();
      TableScan scan = scan(1 + random.nextInt(60)).columns(columns).filters(conjuncts);
      assertEquals(expected, taken(scan.restrictions(filters).read(file)), "round " + round);
    }
  }

  private int splits(Path file, PhysicalExpression conjunct) {
    TableScan scan = scan(64).filters(List.of(conjunct));
    try (Table table = scan.open(file)) {
      return table.splits(scan.specification(table), 2).size();
    }
  }

  @Test
  void rowGroupsAreLeftOut() throws Exception {
    Path file = write(rows(new Random(7), 1000));
    Input id = new Input(0, DataType.INT64);
    assertEquals(1, splits(file, compare("eq", id, 120L)));
    assertEquals(2, splits(file, compare("lt", id, 100L)));
    assertEquals(0, splits(file, compare("gt", id, 5000L)));
    assertEquals(1, splits(file, new InSet(id, List.of(7L, 9L), false, false)));
    assertTrue(splits(file, compare("eq", new Input(7, DataType.STRING), "na1")) <= 2);
    assertTrue(
        splits(file, compare("lt", new Input(8, DataType.DATE), LocalDate.of(1970, 1, 1))) <= 6);
    // NaN is greater than all and stands in no statistics.
    assertTrue(splits(file, compare("gt", new Input(3, DataType.FLOAT64), 1e301)) >= 3);
  }

  private static Call compare(String function, Input input, Object value) {
    return new Call(function, List.of(input, new Constant(value, input.type())), DataType.BOOLEAN);
  }

  @Test
  void statisticsOfColumns() throws Exception {
    Path file = write(rows(new Random(7), 1000));
    try (Table table = scan(64).open(file)) {
      ColumnStatistics id = table.statistics().columns().get("id");
      assertEquals(0L, id.minimum());
      assertEquals(999L, id.maximum());
      assertEquals(0.0, id.nullFraction().getAsDouble());
      ColumnStatistics day = table.statistics().columns().get("day");
      assertTrue(((LocalDate) day.minimum()).isBefore((LocalDate) day.maximum()));
      assertTrue(day.nullFraction().getAsDouble() > 0.05);
      assertEquals(null, table.statistics().columns().get("real").maximum());
    }
  }
}
