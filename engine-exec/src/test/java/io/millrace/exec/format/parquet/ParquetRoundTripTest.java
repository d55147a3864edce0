package io.millrace.exec.format.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Table;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.format.parquet.write.ParquetOutput;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RandomTypes;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.apache.parquet.format.CompressionCodec;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written comes back equal, of every type. */
class ParquetRoundTripTest {
  private static final int ROUNDS = 60;

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

  /** Parquet has no place for members that are none, nor for all values of an interval. */
  private static boolean isStorable(DataType type) {
    return switch (StorageTypes.of(type)) {
      case DataType.Interval interval -> false;
      case DataType.Struct struct when struct.fields().isEmpty() -> false;
      case DataType.FixedBinary fixed -> fixed.byteWidth() > 0;
      default -> StorageTypes.childTypes(type).stream().allMatch(ParquetRoundTripTest::isStorable);
    };
  }

  private Path write(Schema schema, List<Batch> batches, CompressionCodec codec, long groupRows)
      throws Exception {
    Path file = folder.resolve("out.parquet");
    try (OutputStream stream = Files.newOutputStream(file)) {
      ParquetOutput output = new ParquetOutput(stream, schema, codec, groupRows, root.allocator());
      for (Batch batch : batches) {
        output.write(batch);
      }
      output.finish();
    }
    return file;
  }

  private static List<List<Object>> rows(List<Batch> batches) {
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch : batches) {
      rows.addAll(BatchRows.of(batch));
      batch.close();
    }
    return rows;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void everyType(long seed) throws Exception {
    Random random = new Random(seed);
    BatchGenerators generators = new BatchGenerators(seed, root.allocator());
    for (int round = 0; round < ROUNDS; round++) {
      Schema all = new RandomTypes(random).schema(6, 3);
      List<Field> fields =
          all.fields().stream()
              .filter(field -> isStorable(field.type()))
              .filter(field -> !(field.type() instanceof DataType.Reference))
              .toList();
      if (fields.isEmpty()) {
        continue;
      }
      Schema schema = new Schema(fields);
      List<List<Object>> rows = generators.rows(schema, random.nextInt(50));
      BatchForm[] forms = BatchForm.values();
      Batch batch = generators.of(schema, rows, forms[random.nextInt(forms.length)]);
      Path file;
      try {
        file = write(schema, List.of(batch), CompressionCodec.SNAPPY, 1 + random.nextInt(30));
      } catch (MillraceException beyondMilliseconds) {
        assertEquals(ErrorCode.MALFORMED_VALUE, beyondMilliseconds.code());
        continue;
      }
      try (Table table = scan(7).open(file)) {
        assertEquals(schema.types(), table.schema().types(), "round " + round);
        assertEquals(schema, table.schema(), "round " + round);
        assertEquals(
            BatchRows.of(rows).toString(),
            rows(scan(1 + random.nextInt(20)).read(table)).toString(),
            "round " + round + " " + schema);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodec.class,
      names = {"UNCOMPRESSED", "SNAPPY", "ZSTD", "GZIP"})
  void manyPagesWithAndWithoutDictionary(CompressionCodec codec) throws Exception {
    Schema schema =
        Schema.of(
            Field.required("id", DataType.INT64),
            Field.nullable("city", DataType.STRING),
            Field.nullable("text", DataType.STRING),
            Field.nullable("flag", DataType.BOOLEAN),
            Field.nullable("parts", DataType.list(DataType.INT32)));
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < 50_000; row++) {
      List<Object> values = new ArrayList<>();
      values.add((long) row * 7919);
      values.add(row % 10 == 3 ? null : "city " + row % 50);
      values.add(row < 30_000 ? "t" + row % 5 : "text number " + row);
      values.add(row % 7 == 0 ? null : row % 3 == 0);
      values.add(row % 11 == 0 ? null : List.of(row, row + 1).subList(0, row % 3));
      rows.add(values);
    }
    BatchGenerators generators = new BatchGenerators(1, root.allocator());
    List<Batch> batches = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += 9000) {
      batches.add(
          generators.of(
              schema, rows.subList(from, Math.min(rows.size(), from + 9000)), BatchForm.FLAT));
    }
    Path file = write(schema, batches, codec, 45_000);
    assertEquals(rows, rows(scan(1000).read(file)));
  }
}
