package io.millrace.lance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LanceRowTakerTest {
  private static final Schema PHOTOS =
      Schema.of(Field.required("id", DataType.INT64), Field.nullable("photo", DataType.BINARY));
  private static final int ROWS = 600;
  private static final int PHOTO_BYTES = 100_000;

  private static byte[] photo(long id) {
    if (id % 50 == 49) {
      return null;
    }
    byte[] bytes = new byte[PHOTO_BYTES];
    new Random(id).nextBytes(bytes);
    return bytes;
  }

  private static Table photos(LanceHarness lance) {
    List<List<Object>> rows = new ArrayList<>();
    for (long id = 0; id < ROWS; id++) {
      rows.add(Arrays.asList(id, photo(id)));
    }
    lance.write(
        lance.sink(lance.at("photos"), WriteMode.CREATE, PHOTOS),
        rows.subList(0, 400),
        rows.subList(400, ROWS));
    return lance.open(lance.at("photos"));
  }

  private static long address(long id) {
    return id < 400 ? id : (1L << 32) + id - 400;
  }

  @Test
  void valuesOfManyChunksComeInTheOrderOfTheAddresses() {
    try (LanceHarness lance = new LanceHarness();
        Table table = photos(lance);
        RowTaker taker = lance.connector.openTaker(table.source(), lance.context)) {
      assertEquals(Set.of("photo"), table.heavyColumns());
      long[] ids = LongStream.range(0, ROWS).filter(id -> id % 2 == 1).toArray();
      long[] addresses = LongStream.of(ids).map(LanceRowTakerTest::address).toArray();
      RowTaker.Taken taken = taker.take(addresses, List.of("photo", "id")).join();
      assertEquals(ids.length, taken.batch().rowCount());
      for (int row = 0; row < ids.length; row++) {
        assertEquals(ids[row], taken.batch().valueAt(1, row));
        assertArrayEquals(photo(ids[row]), (byte[]) taken.batch().valueAt(0, row));
      }
      long valueBytes = ids.length * (long) PHOTO_BYTES;
      assertTrue(taken.readBytes() > valueBytes * 0.9 && taken.readBytes() < valueBytes * 1.2);
      taken.batch().close();
    }
  }

  @Test
  void severalThreadsTakeAtOnce() {
    try (LanceHarness lance = new LanceHarness();
        Table table = photos(lance);
        RowTaker taker = lance.connector.openTaker(table.source(), lance.context)) {
      List<CompletableFuture<RowTaker.Taken>> takes = new ArrayList<>();
      for (long id = 0; id < 100; id++) {
        takes.add(taker.take(new long[] {address(id), address(id + 450)}, List.of("id")));
      }
      for (int id = 0; id < 100; id++) {
        RowTaker.Taken taken = takes.get(id).join();
        assertEquals((long) id, taken.batch().valueAt(0, 0));
        assertEquals(id + 450L, taken.batch().valueAt(0, 1));
        taken.batch().close();
      }
    }
  }

  @Test
  void aMissingRowOrColumnFailsTheWholeTakeAndLeaksNothing() {
    try (LanceHarness lance = new LanceHarness();
        Table table = photos(lance);
        RowTaker taker = lance.connector.openTaker(table.source(), lance.context)) {
      long[] withGap = LongStream.range(100, 501).toArray();
      assertEquals(ErrorCode.SOURCE_CHANGED, failure(taker.take(withGap, List.of("photo"))));
      assertEquals(
          ErrorCode.SOURCE_CHANGED, failure(taker.take(new long[] {5L << 32}, List.of("photo"))));
      assertEquals(ErrorCode.UNKNOWN_COLUMN, failure(taker.take(new long[] {1}, List.of("foto"))));
      RowTaker.Taken none = taker.take(new long[0], List.of("photo")).join();
      assertEquals(0, none.batch().rowCount());
      none.batch().close();
    }
  }

  @Test
  void closingWaitsForTakesInFlightAndRefusesLaterOnes() {
    try (LanceHarness lance = new LanceHarness();
        Table table = photos(lance)) {
      RowTaker taker = lance.connector.openTaker(table.source(), lance.context);
      long[] many = LongStream.range(0, 400).toArray();
      CompletableFuture<RowTaker.Taken> running = taker.take(many, List.of("photo"));
      taker.close();
      taker.close();
      if (!running.isCompletedExceptionally()) {
        running.join().batch().close();
      }
      assertEquals(ErrorCode.CANCELLED, failure(taker.take(many, List.of("photo"))));
    }
  }

  @Test
  void anUnpinnedSourceIsAFaultOfThePlan() {
    try (LanceHarness lance = new LanceHarness(Map.of());
        Table table = photos(lance);
        RowTaker taker =
            lance.connector.openTaker(LanceHarness.source(lance.at("photos")), lance.context)) {
      assertEquals(ErrorCode.INVALID_PLAN, failure(taker.take(new long[] {1}, List.of("id"))));
      assertEquals(600, table.statistics().rowCount().getAsLong());
    }
  }

  private static ErrorCode failure(CompletableFuture<RowTaker.Taken> take) {
    CompletionException failure = assertThrows(CompletionException.class, take::join);
    return MillraceException.of(failure).code();
  }
}
