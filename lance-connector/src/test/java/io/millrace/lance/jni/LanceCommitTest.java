package io.millrace.lance.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.BTreeIndexParams;

class LanceCommitTest {
  private final LanceFolder lance = new LanceFolder();

  @AfterEach
  void closeFindsLeaks() {
    lance.close();
  }

  private LanceCommit commit(WriteTarget target, String writeId) {
    return new LanceCommit(lance.runtime, lance.allocator, target, writeId);
  }

  private long rows(LanceLocation location) {
    try (LanceDataset table = lance.open(location)) {
      return table.fragments().stream().mapToLong(FragmentSummary::rowCount).sum();
    }
  }

  @Test
  void createFailsWhenTheTableExistsAndLeavesItAlone() throws Exception {
    LanceLocation location = lance.photoTable("photos", 10, 30);
    WriteTarget target = WriteTarget.fresh(location, LanceFolder.PHOTOS);
    List<FragmentFile> fragments = lance.writePhotos(target, 0, 5, 10);
    assertEquals(
        ErrorCode.TABLE_EXISTS,
        LanceFolder.codeOf(() -> commit(target, "second").create(fragments)));
    assertEquals(30, rows(location));
  }

  @Test
  void overwriteReplacesRowsAndKeepsTheOldVersion() {
    LanceLocation location = lance.photoTable("photos", 10, 30);
    WriteTarget target = WriteTarget.fresh(location, LanceFolder.PHOTOS);
    assertEquals(2, commit(target, "over").overwrite(lance.writePhotos(target, 0, 5, 10), 1));
    assertEquals(5, rows(location));
    try (LanceDataset old = lance.runtime.openPinned(location, 1, lance.allocator)) {
      assertEquals(30, old.fragments().getFirst().rowCount());
      assertEquals(RowKey.ADDRESS, old.rowKey());
    }
  }

  @Test
  void appendsFromTheSameVersionAreBothKept() {
    LanceLocation location = lance.photoTable("photos", 10, 30);
    WriteTarget target;
    try (LanceDataset table = lance.open(location)) {
      target = WriteTarget.append(table);
    }
    assertEquals(2, commit(target, "a").append(lance.writePhotos(target, 30, 5, 10), 1));
    assertEquals(3, commit(target, "b").append(lance.writePhotos(target, 35, 6, 10), 1));
    assertEquals(41, rows(location));
  }

  @Test
  void anAppendConflictsWithAnOverwriteInBetween() {
    LanceLocation location = lance.photoTable("photos", 10, 30);
    WriteTarget fresh = WriteTarget.fresh(location, LanceFolder.PHOTOS);
    WriteTarget append;
    try (LanceDataset table = lance.open(location)) {
      append = WriteTarget.append(table);
    }
    List<FragmentFile> late = lance.writePhotos(append, 30, 5, 10);
    commit(fresh, "over").overwrite(lance.writePhotos(fresh, 0, 5, 10), 1);
    assertEquals(
        ErrorCode.COMMIT_CONFLICT,
        LanceFolder.codeOf(() -> commit(append, "late").append(late, 1)));
    assertEquals(5, rows(location));
  }

  @Test
  void aWriteThatIsTriedAgainIsCommittedOnce() {
    WriteTarget fresh = WriteTarget.fresh(lance.at("photos"), LanceFolder.PHOTOS);
    List<FragmentFile> fragments = lance.writePhotos(fresh, 0, 5, 10);
    assertEquals(1, commit(fresh, "one").create(fragments));
    assertEquals(1, commit(fresh, "one").create(fragments));
    WriteTarget append;
    try (LanceDataset table = lance.open(fresh.location())) {
      append = WriteTarget.append(table);
    }
    List<FragmentFile> more = lance.writePhotos(append, 5, 5, 10);
    assertEquals(2, commit(append, "two").append(more, 1));
    assertEquals(2, commit(append, "two").append(more, 1));
    assertEquals(10, rows(fresh.location()));
  }

  @Test
  void fragmentsTravelAsBytes() {
    WriteTarget target = WriteTarget.fresh(lance.at("photos"), LanceFolder.PHOTOS);
    List<FragmentFile> travelled = new ArrayList<>();
    for (FragmentFile fragment : lance.writePhotos(target, 0, 17, 100)) {
      FragmentFile copy = FragmentFile.decode(fragment.encode());
      assertEquals(fragment.metadata().toString(), copy.metadata().toString());
      travelled.add(copy);
    }
    commit(target, "w").create(travelled);
    assertEquals(17, rows(target.location()));
    assertThrows(MillraceException.class, () -> FragmentFile.decode(new byte[] {9, 9, 9}));
    assertThrows(MillraceException.class, () -> FragmentFile.decode(new byte[0]));
  }

  @Test
  void aTableWithoutRowsHasItsColumns() {
    WriteTarget target = WriteTarget.fresh(lance.at("empty"), LanceFolder.PHOTOS);
    List<FragmentFile> none = lance.writePhotos(target, 0, 0, 10);
    assertEquals(List.of(), none);
    commit(target, "w").create(none);
    assertEquals(0, rows(target.location()));
  }

  @Test
  void aWriterThatIsGivenUpLeavesNoFile() throws Exception {
    WriteTarget target = WriteTarget.fresh(lance.at("gone"), LanceFolder.PHOTOS);
    try (FragmentWriter writer = new FragmentWriter(target, lance.allocator, 1 << 20)) {
      writer.open();
      for (int batch = 0; batch < 20; batch++) {
        try (VectorSchemaRoot root = VectorSchemaRoot.create(target.schema(), lance.allocator)) {
          root.allocateNew();
          root.setRowCount(100);
          writer.write(new VectorUnloader(root).getRecordBatch());
        }
      }
    }
    assertEquals(List.of(), LanceFolder.files(target.location()));
  }

  @Test
  void anIndexThatIsUnknownHereStopsTheWrite() throws Exception {
    LanceLocation location = lance.photoTable("photos", 10, 5);
    try (Dataset writer = Dataset.open().allocator(lance.allocator).uri(location.uri()).build()) {
      IndexParams btree =
          IndexParams.builder().setScalarIndexParams(BTreeIndexParams.builder().build()).build();
      writer.createIndex(IndexOptions.builder(List.of("id"), IndexType.BTREE, btree).build());
      writer.createIndex(
          IndexOptions.builder(List.of("id"), IndexType.BTREE, btree).replace(true).build());
    }
    try (LanceDataset table = lance.open(location)) {
      HiddenIndexGuard.check(lance.runtime, table, lance.allocator);
      Path hidden =
          location
              .localFolder()
              .orElseThrow()
              .resolve("_indices/0b6e4a7c-0000-4000-8000-000000000001");
      Files.createDirectories(hidden);
      assertEquals(
          ErrorCode.UNSUPPORTED_FORMAT,
          LanceFolder.codeOf(() -> HiddenIndexGuard.check(lance.runtime, table, lance.allocator)));
    }
  }
}
