package io.millrace.lance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Step;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

class LanceScanTest {
  private static final Schema SAMPLES =
      Schema.of(
          Field.required("id", DataType.INT64),
          Field.nullable("caption", DataType.STRING),
          Field.nullable("photo", DataType.BINARY));
  private static final int PHOTO_BYTES = 20_000;

  /** One fragment per count, ids counting on. */
  private static Table samples(LanceHarness lance, int photoBytes, int... rowCounts) {
    List<List<List<Object>>> tasks = new ArrayList<>();
    long id = 0;
    for (int count : rowCounts) {
      List<List<Object>> rows = new ArrayList<>();
      for (int row = 0; row < count; row++, id++) {
        byte[] photo = new byte[photoBytes];
        new Random(id).nextBytes(photo);
        rows.add(List.of(id, "caption " + id, photo));
      }
      tasks.add(rows);
    }
    @SuppressWarnings("unchecked")
    List<List<Object>>[] array = tasks.toArray(new List[0]);
    lance.write(lance.sink(lance.at("samples"), WriteMode.CREATE, SAMPLES), array);
    return lance.open(lance.at("samples"));
  }

  private static ScanSpecification all(Table table, String... columns) {
    return LanceHarness.scanOf(table, List.of(columns), List.of(), OptionalLong.empty());
  }

  @Test
  void theHeavyColumnIsKnownByItsSizeAndTheOthersAreNot() {
    try (LanceHarness lance = new LanceHarness();
        Table table = samples(lance, PHOTO_BYTES, 30)) {
      assertEquals(Set.of("photo"), table.heavyColumns());
      assertEquals(OptionalLong.of(30), table.statistics().rowCount());
      long bytes = table.statistics().bytes().getAsLong();
      assertTrue(bytes > 30L * PHOTO_BYTES && bytes < 31L * PHOTO_BYTES, "bytes " + bytes);
      long average = table.statistics().columns().get("photo").averageBytes().getAsLong();
      assertTrue(average > PHOTO_BYTES * 0.9 && average < PHOTO_BYTES * 1.1, "average " + average);
      assertFalse(table.statistics().columns().containsKey("caption"));
    }
    try (LanceHarness lance = new LanceHarness();
        Table table = samples(lance, 100, 30)) {
      assertEquals(Set.of(), table.heavyColumns());
    }
  }

  @Test
  void pollNeverWaitsForTheRead() {
    try (LanceHarness lance = new LanceHarness();
        Table table = samples(lance, PHOTO_BYTES, 300)) {
      ScanSpecification scan = all(table, "id", "photo");
      Split split = table.splits(scan, 1).getFirst();
      try (BatchSource source = lance.connector.openScan(scan, split, lance.context)) {
        Step first = source.poll();
        Step.Blocked blocked = assertInstanceOf(Step.Blocked.class, first);
        assertEquals(Step.BlockReason.IO, blocked.reason());
        blocked.ready().join();
        List<Batch> batches = LanceHarness.drain(source);
        assertEquals(300, batches.stream().mapToInt(Batch::rowCount).sum());
        assertTrue(source.readBytes() > 300L * PHOTO_BYTES, "read " + source.readBytes());
        batches.forEach(Batch::close);
        assertEquals(Step.FINISHED, source.poll());
      }
    }
  }

  @Test
  void batchesStayNearTheConfiguredBytesAndTheQueueNearItsLimit() throws Exception {
    Map<String, String> settings = Map.of("batch.bytes", "200KiB", "queue.bytes", "400KiB");
    try (LanceHarness lance = new LanceHarness(settings);
        Table table = samples(lance, PHOTO_BYTES, 300)) {
      ScanSpecification scan = all(table, "photo");
      Split split = table.splits(scan, 1).getFirst();
      try (BatchSource source = lance.connector.openScan(scan, split, lance.context)) {
        assertInstanceOf(Step.Blocked.class, source.poll());
        Thread.sleep(300); // A reader without a bound would have read everything by now.
        long held = lance.allocator.getAllocatedMemory();
        assertTrue(held < 3_000_000, "held " + held);
        for (Batch batch : LanceHarness.drain(source)) {
          assertTrue(batch.rowCount() <= 11, "rows " + batch.rowCount());
          batch.close();
        }
      }
    }
  }

  @Test
  void longTextBesideBinaryIsSampledForTheBatchSize() {
    try (LanceHarness lance = new LanceHarness(Map.of("batch.bytes", "100KiB"))) {
      Schema schema =
          Schema.of(
              Field.nullable("document", DataType.STRING), Field.nullable("code", DataType.BINARY));
      Random random = new Random(1);
      List<List<Object>> rows = new ArrayList<>();
      for (int row = 0; row < 200; row++) {
        StringBuilder text = new StringBuilder();
        random.ints(10_000, 'a', 'z').forEach(letter -> text.append((char) letter));
        rows.add(List.of(text.toString(), new byte[] {1}));
      }
      lance.write(lance.sink(lance.at("t"), WriteMode.CREATE, schema), rows);
      try (Table table = lance.open(lance.at("t"))) {
        List<Batch> batches = lance.batches(table, all(table, "document"));
        assertEquals(200, batches.stream().mapToInt(Batch::rowCount).sum());
        batches.forEach(batch -> assertTrue(batch.rowCount() <= 11, "rows " + batch.rowCount()));
        batches.forEach(Batch::close);
      }
    }
  }

  @Test
  void closingInTheMiddleReleasesEverything() {
    try (LanceHarness lance = new LanceHarness(Map.of("batch.bytes", "100KiB"));
        Table table = samples(lance, PHOTO_BYTES, 200)) {
      ScanSpecification scan = all(table, "photo");
      Split split = table.splits(scan, 1).getFirst();
      for (int wanted = 0; wanted < 6; wanted++) {
        BatchSource source = lance.connector.openScan(scan, split, lance.context);
        int got = 0;
        while (got < wanted) {
          switch (source.poll()) {
            case Step.Output output -> {
              output.batch().close();
              got++;
            }
            case Step.Blocked blocked -> blocked.ready().join();
            case Step.Finished ignored -> throw new AssertionError("too early");
            case Step.NeedInput ignored -> throw new AssertionError("a source");
          }
        }
        source.close();
        source.close();
        assertEquals(Step.FINISHED, source.poll());
        assertEquals(0, lance.allocator.getAllocatedMemory());
      }
    }
  }

  @Test
  void runningOutOfMemoryIsACodedErrorAndLeaksNothing() {
    try (LanceHarness lance = new LanceHarness();
        Table table = samples(lance, PHOTO_BYTES, 200)) {
      ScanSpecification scan = all(table, "id", "photo");
      Split split = table.splits(scan, 1).getFirst();
      for (long limit : new long[] {1 << 16, 1 << 21, 1 << 24}) {
        try (BufferAllocator small = lance.allocator.newChildAllocator("small", 0, limit)) {
          ConnectorContext context =
              new ConnectorContext(
                  small,
                  lance.context.blockingWork(),
                  lance.context.stores(),
                  lance.context.configuration());
          try (BatchSource source = lance.connector.openScan(scan, split, context)) {
            LanceHarness.drain(source).forEach(Batch::close);
          } catch (MillraceException failure) {
            assertEquals(ErrorCode.MEMORY_EXHAUSTED, failure.code(), failure.getMessage());
          }
          long[] addresses = LongStream.range(0, 200).toArray();
          try (RowTaker taker = lance.connector.openTaker(table.source(), context)) {
            taker.take(addresses, List.of("photo", "id")).join().batch().close();
          } catch (CompletionException failure) {
            assertEquals(
                ErrorCode.MEMORY_EXHAUSTED, MillraceException.of(failure).code(), "" + limit);
          }
        }
      }
    }
  }

  @Test
  void batchesOutliveTheirSource() {
    try (LanceHarness lance = new LanceHarness();
        Table table = samples(lance, 1_000, 50)) {
      List<Batch> batches = lance.batches(table, all(table, "id", "photo"));
      byte[] expected = new byte[1_000];
      new Random(49).nextBytes(expected);
      Batch last = batches.getLast();
      assertArrayEquals(expected, (byte[]) last.valueAt(1, last.rowCount() - 1));
      batches.forEach(Batch::close);
    }
  }

  @Test
  void rowsAreCountedWithoutReadingAny() {
    try (LanceHarness lance = new LanceHarness(Map.of("batch.rows", "16"));
        Table table = samples(lance, 100, 30, 25)) {
      ScanSpecification none = all(table);
      int rows = 0;
      for (Split split : table.splits(none, 1)) {
        try (BatchSource source = lance.connector.openScan(none, split, lance.context)) {
          for (Batch batch : LanceHarness.drain(source)) {
            rows += batch.rowCount();
            batch.close();
          }
          assertEquals(0, source.readBytes());
        }
      }
      assertEquals(55, rows);
      PhysicalExpression late =
          new PhysicalExpression.Call(
              "ge",
              List.of(
                  LanceHarness.input(table, "id"),
                  new PhysicalExpression.Constant(40L, DataType.INT64)),
              DataType.BOOLEAN);
      ScanSpecification filtered =
          LanceHarness.scanOf(table, List.of(), List.of(late), OptionalLong.empty());
      assertEquals(15, lance.rows(table, filtered).size());
    }
  }

  @Test
  void splitsAreWholeFragmentsOfAboutEqualBytes() {
    try (LanceHarness lance = new LanceHarness();
        Table table = samples(lance, 100_000, IntStream.generate(() -> 20).limit(12).toArray())) {
      ScanSpecification scan = all(table, "id");
      assertEquals(1, table.splits(scan, 1).size());
      List<Split> four = table.splits(scan, 4);
      assertEquals(4, four.size());
      assertEquals(240, four.stream().mapToLong(Split::rows).sum());
      assertEquals("0-2", four.getFirst().payload());
      assertEquals(12, table.splits(scan, 100).size());
      assertEquals(
          LongStream.range(0, 240).boxed().toList(),
          lance.rows(table, scan).stream().map(List::getFirst).toList());
      ScanSpecification first =
          LanceHarness.scanOf(table, List.of("id"), List.of(), OptionalLong.of(5));
      assertEquals(1, table.splits(first, 4).size());
      assertEquals(5, lance.rows(table, first).size());
    }
  }

  @Test
  void aColumnMayComeTwiceAndAsReference() {
    try (LanceHarness lance = new LanceHarness();
        Table table = samples(lance, 100, 10, 10)) {
      Field id = LanceHarness.field(table, "id");
      ScanSpecification scan =
          new ScanSpecification(
              table.source(),
              table.schema(),
              List.of(
                  LanceHarness.reference(table, "photo"),
                  new ScanColumn("id", id.withName("a")),
                  new ScanColumn("id", id.withName("b")),
                  LanceHarness.reference(table, "photo")),
              List.of(),
              OptionalLong.empty());
      List<List<Object>> rows = lance.rows(table, scan);
      assertEquals(List.of(0L, 0L, 0L, 0L), rows.getFirst());
      assertEquals(List.of((1L << 32) + 9, 19L, 19L, (1L << 32) + 9), rows.getLast());
    }
  }

  @Test
  void aTableMadeAnewUnderAPlanIsNoticed() throws Exception {
    try (LanceHarness lance = new LanceHarness();
        Table table = samples(lance, 100, 10)) {
      ScanSpecification scan = all(table, "id");
      Split split = table.splits(scan, 1).getFirst();
      new LocalStores().delete(lance.at("samples"));
      try (Table second = samples(lance, 100, 10);
          BatchSource source = lance.connector.openScan(scan, split, lance.context)) {
        assertEquals(1, second.statistics().rowCount().getAsLong() / 10);
        MillraceException failure =
            assertThrows(MillraceException.class, () -> LanceHarness.drain(source));
        assertEquals(ErrorCode.SOURCE_CHANGED, failure.code());
      }
    }
  }

  @Test
  void aPinnedVersionIsReadAfterTheTableHasGrown() {
    try (LanceHarness lance = new LanceHarness();
        Table table = samples(lance, 100, 10)) {
      lance.write(
          lance.sink(lance.at("samples"), WriteMode.APPEND, SAMPLES),
          List.of(List.of(77L, "late", new byte[] {1})));
      assertEquals(10, lance.rows(table, all(table, "id")).size());
      assertEquals(11, lance.rows(lance.at("samples"), "id").size());
    }
  }
}
