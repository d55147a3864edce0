package io.millrace.lance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RandomTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random schemas, nested and multimodal, written from batches of every form, scanned and taken. */
class LanceTypesTest {
  private static final int ROUNDS = Integer.getInteger("millrace.test.rounds", 150);

  @Test
  void whatIsWrittenComesBackByScanAndByTake() {
    int written = 0;
    for (long seed = 0; seed < ROUNDS; seed++) {
      try (LanceHarness lance = new LanceHarness()) {
        written += roundTrip(lance, seed) ? 1 : 0;
      }
    }
    assertTrue(written > ROUNDS / 2, "Most schemas can be stored: " + written);
  }

  /** False when Lance has no place for the schema. */
  private static boolean roundTrip(LanceHarness lance, long seed) {
    Random random = new Random(seed);
    Schema schema = new RandomTypes(random).schema(4, 3);
    BatchGenerators generators = new BatchGenerators(seed, lance.allocator);
    SinkSpecification create = lance.sink(lance.at("t"), WriteMode.CREATE, schema);
    List<List<Object>> rows = new ArrayList<>();
    try (TableSink driver = lance.connector.openSink(create, lance.context)) {
      try {
        driver.begin();
      } catch (MillraceException failure) {
        boolean refused =
            failure.code() == ErrorCode.UNSUPPORTED_TYPE
                || failure.code() == ErrorCode.INVALID_PLAN;
        assertTrue(refused, failure.getMessage());
        return false;
      }
      try (BatchWriter writer = driver.openWriter("a")) {
        for (BatchForm form : BatchForm.values()) {
          Batch batch = generators.batch(schema, random.nextInt(20), form);
          rows.addAll(BatchRows.of(batch));
          writer.write(batch);
        }
        driver.commit(List.of(writer.finish()));
      }
    }
    String note = "seed " + seed + ", " + schema;
    try (Table table = lance.open(lance.at("t"))) {
      for (int column = 0; column < schema.size(); column++) {
        // Members and elements come back as nullable, names and all else as they were.
        DataType found = table.schema().field(column).type();
        assertTrue(StorageTypes.sameShape(schema.field(column).type(), found), note + found);
      }
      assertEquals(rows, scanned(lance, table), note);
      assertTaken(lance, table, rows, random, note);
    }
    return true;
  }

  private static List<List<Object>> scanned(LanceHarness lance, Table table) {
    List<Batch> batches =
        lance.batches(
            table,
            LanceHarness.scanOf(table, table.schema().names(), List.of(), OptionalLong.empty()));
    List<List<Object>> found = new ArrayList<>();
    for (Batch batch : batches) {
      try (batch) {
        found.addAll(BatchRows.of(batch));
      }
    }
    return found;
  }

  private static void assertTaken(
      LanceHarness lance, Table table, List<List<Object>> rows, Random random, String note) {
    long[] addresses =
        LongStream.range(0, rows.size()).filter(row -> random.nextInt(4) == 0).toArray();
    List<List<Object>> expected =
        LongStream.of(addresses).mapToObj(row -> rows.get((int) row)).toList();
    try (RowTaker taker = lance.connector.openTaker(table.source(), lance.context);
        Batch taken = taker.take(addresses, table.schema().names()).join().batch()) {
      assertEquals(expected, BatchRows.of(taken), note);
    }
  }
}
