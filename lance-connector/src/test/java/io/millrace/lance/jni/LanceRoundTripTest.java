package io.millrace.lance.jni;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

class LanceRoundTripTest {
  private static final int PHOTO_BYTES = 100_000;

  @Test
  void aThousandLargeValuesComeBackByScanAndByTake() {
    try (LanceFolder lance = new LanceFolder()) {
      LanceLocation location = lance.photoTable("photos", PHOTO_BYTES, 600, 400);
      try (LanceDataset table = lance.open(location)) {
        assertEquals("2.1", table.format());
        assertEquals(RowKey.ADDRESS, table.rowKey());
        assertEquals(1, table.version());
        assertEquals(
            List.of(600L, 400L),
            table.fragments().stream().map(FragmentSummary::rowCount).toList());
        assertTrue(table.fragments().getFirst().bytes() > 50_000_000L);
        scanWithFilter(lance, table);
        takeAtRandom(table);
      }
    }
  }

  private static void scanWithFilter(LanceFolder lance, LanceDataset table) {
    LanceScanRequest request =
        new LanceScanRequest(
            List.of("photo", "id"),
            true,
            Optional.of("`id` >= 590 AND `id` < 610"),
            OptionalLong.empty(),
            List.of(0, 1),
            8);
    List<Long> ids = new ArrayList<>();
    try (LanceScan scan = table.scan(request, lance.allocator)) {
      while (scan.advance()) {
        VectorSchemaRoot root = scan.root();
        assertEquals(
            List.of("photo", "id", "_rowaddr"),
            root.getSchema().getFields().stream().map(f -> f.getName()).toList());
        for (int row = 0; row < root.getRowCount(); row++) {
          long id = ((BigIntVector) root.getVector("id")).get(row);
          ids.add(id);
          assertArrayEquals(
              LanceFolder.photo(id, PHOTO_BYTES),
              ((LargeVarBinaryVector) root.getVector("photo")).getObject(row));
          long expected = id < 600 ? id : (1L << 32) + id - 600;
          assertEquals(expected, root.getVector("_rowaddr").getDataBuffer().getLong(8L * row));
        }
      }
      assertTrue(scan.bytesRead() > 0);
    }
    assertEquals(20, ids.size());
    assertEquals(590L, ids.getFirst());
  }

  private static void takeAtRandom(LanceDataset table) {
    Random random = new Random(4);
    TreeSet<Long> ids = new TreeSet<>();
    while (ids.size() < 50) {
      ids.add((long) random.nextInt(1000));
    }
    long[] keys =
        ids.stream().mapToLong(id -> id < 600 ? id : (1L << 32) + id - 600).sorted().toArray();
    try (TakenRows rows = table.take(List.of("photo", "id"), keys)) {
      assertEquals(50, rows.rowCount());
      int row = 0;
      for (long id : ids) {
        assertEquals(id, ((BigIntVector) rows.columns().get(1)).get(row));
        assertArrayEquals(
            LanceFolder.photo(id, PHOTO_BYTES),
            ((LargeVarBinaryVector) rows.columns().get(0)).getObject(row++));
      }
    }
  }

  @Test
  void limitAndFragmentsAreKeptTo() {
    try (LanceFolder lance = new LanceFolder()) {
      LanceLocation location = lance.photoTable("photos", 10, 250, 250);
      try (LanceDataset table = lance.open(location);
          LanceScan scan =
              table.scan(
                  new LanceScanRequest(
                      List.of("id"), false, Optional.empty(), OptionalLong.of(3), List.of(1), 2),
                  lance.allocator)) {
        List<Long> ids = new ArrayList<>();
        while (scan.advance()) {
          assertTrue(scan.root().getRowCount() <= 2);
          for (int row = 0; row < scan.root().getRowCount(); row++) {
            ids.add(((BigIntVector) scan.root().getVector("id")).get(row));
          }
        }
        assertEquals(List.of(250L, 251L, 252L), ids);
      }
    }
  }

  @Test
  void aScanMayBeClosedBeforeItsEnd() {
    try (LanceFolder lance = new LanceFolder()) {
      LanceLocation location = lance.photoTable("photos", 10_000, 500);
      try (LanceDataset table = lance.open(location);
          LanceScan scan =
              table.scan(
                  new LanceScanRequest(
                      List.of("photo"),
                      false,
                      Optional.empty(),
                      OptionalLong.empty(),
                      List.of(0),
                      10),
                  lance.allocator)) {
        assertTrue(scan.advance());
        scan.close();
        scan.close();
      }
    }
  }
}
