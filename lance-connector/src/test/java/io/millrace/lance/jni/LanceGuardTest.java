package io.millrace.lance.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;

class LanceGuardTest {
  private static final Field ID = Field.nullable("id", new ArrowType.Int(64, true));

  private final LanceFolder lance = new LanceFolder();

  @AfterEach
  void closeFindsLeaks() {
    lance.close();
  }

  private MillraceException openFails(LanceLocation location) {
    return assertThrows(MillraceException.class, () -> lance.open(location));
  }

  @Test
  void fileFormat23IsRefusedSinceReadingItAbortsTheProcess() {
    MillraceException failure = openFails(LanceFolder.fixture("guard-format-2.3"));
    assertEquals(ErrorCode.UNSUPPORTED_FORMAT, failure.code());
    assertTrue(failure.getMessage().contains("Format 2.3"), failure.getMessage());
    assertEquals(
        ErrorCode.UNSUPPORTED_FORMAT,
        LanceFolder.codeOf(
            () ->
                lance.runtime.openPinned(
                    LanceFolder.fixture("guard-format-2.3"), 1, lance.allocator)));
  }

  @Test
  void mixedFileFormatsAreRefusedInOurOwnWords() {
    MillraceException failure = openFails(LanceFolder.fixture("guard-mixed-formats"));
    assertEquals(ErrorCode.UNSUPPORTED_FORMAT, failure.code());
    assertTrue(failure.getMessage().startsWith("This Lance table mixes file formats"));
    assertFalse(failure.getMessage().contains(".rs:"), failure.getMessage());
  }

  @Test
  void stringsWrittenAsViewsAreStoredAsPlainStrings() {
    try (LanceDataset table = lance.open(LanceFolder.fixture("guard-string-view"));
        LanceScan scan = table.scan(request(List.of("name")), lance.allocator)) {
      assertEquals(ArrowType.Utf8.INSTANCE, table.schema().findField("name").getType());
      assertTrue(scan.advance());
      List<String> names = new ArrayList<>();
      for (int row = 0; row < 3; row++) {
        names.add(String.valueOf(scan.root().getVector("name").getObject(row)));
      }
      assertEquals(List.of("a", "null", "c"), names);
    }
  }

  @Test
  void aMissingTableAPlainFolderAndAMissingVersionAreToldApart() throws Exception {
    assertEquals(ErrorCode.FILE_NOT_FOUND, openFails(lance.at("none")).code());
    Files.createDirectory(lance.folder.resolve("plain.lance"));
    assertEquals(ErrorCode.INVALID_FILE, openFails(lance.at("plain")).code());
    LanceLocation location = lance.photoTable("photos", 10, 5);
    assertEquals(
        ErrorCode.UNKNOWN_VERSION,
        LanceFolder.codeOf(
            () -> lance.runtime.open(location, OptionalLong.of(9), lance.allocator)));
    assertEquals(
        ErrorCode.SOURCE_CHANGED,
        LanceFolder.codeOf(() -> lance.runtime.openPinned(location, 9, lance.allocator)));
    assertEquals(
        ErrorCode.INVALID_ARGUMENT, openFails(LanceLocation.of("strange://bucket/t.lance")).code());
  }

  @Test
  void unknownAndRepeatedColumnsAreFoundBeforeAnythingNativeRuns() {
    LanceLocation location = lance.photoTable("photos", 10, 5);
    try (LanceDataset table = lance.open(location)) {
      MillraceException failure =
          assertThrows(MillraceException.class, () -> table.take(List.of("foto"), new long[] {1}));
      assertEquals(ErrorCode.UNKNOWN_COLUMN, failure.code());
      assertTrue(failure.getMessage().contains("'photo'"), failure.getMessage());
      assertEquals(
          ErrorCode.UNKNOWN_COLUMN,
          LanceFolder.codeOf(() -> table.take(List.of("_distance"), new long[] {1})));
      assertEquals(
          ErrorCode.UNKNOWN_COLUMN,
          LanceFolder.codeOf(() -> table.scan(request(List.of("ID")), lance.allocator)));
      assertEquals(
          ErrorCode.DUPLICATE_NAME,
          LanceFolder.codeOf(() -> table.scan(request(List.of("id", "id")), lance.allocator)));
    }
  }

  @Test
  void aDeletedOrUnknownRowIsAnErrorAndNeverAnotherRow() {
    LanceLocation location = lance.photoTable("photos", 10, 20, 20);
    try (Dataset writer = Dataset.open().allocator(lance.allocator).uri(location.uri()).build()) {
      writer.delete("id in (3, 25)");
    }
    try (LanceDataset table = lance.open(location)) {
      assertEquals(
          List.of(19L, 19L), table.fragments().stream().map(FragmentSummary::rowCount).toList());
      assertGone(table, 3);
      assertGone(table, 2, 3, 4);
      assertGone(table, 0, 1, (1L << 32) + 5);
      assertGone(table, 2, 1_000);
      assertGone(table, 2, 9L << 32);
      assertGone(table, -4);
      try (TakenRows rows = table.take(List.of("id"), new long[] {2, 4, (1L << 32) + 4})) {
        assertEquals(3, rows.rowCount());
      }
    }
  }

  @Test
  void stableRowIdsAreTheKeyOfTablesThatHaveThem() {
    try (LanceDataset table = lance.open(LanceFolder.fixture("stable-row-ids-2.2"))) {
      assertEquals(RowKey.STABLE_ID, table.rowKey());
      assertGone(table, 2, 3);
      assertGone(table, 5_000);
      try (TakenRows rows = table.take(List.of("id"), new long[] {2, 20, 29})) {
        assertEquals(29L, rows.columns().getFirst().getObject(2));
      }
    }
  }

  private static void assertGone(LanceDataset table, long... keys) {
    assertEquals(
        ErrorCode.SOURCE_CHANGED, LanceFolder.codeOf(() -> table.take(List.of("id"), keys)));
  }

  @Test
  void batchesOfNoRowsAreRefusedSinceTheScanWouldBeEmpty() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new LanceScanRequest(
                List.of(), true, Optional.empty(), OptionalLong.empty(), List.of(0), 0));
  }

  @Test
  void typesThatCannotBeStoredAreRefused() {
    refuses(Field.nullable("c", ArrowType.Utf8View.INSTANCE));
    refuses(Field.nullable("c", ArrowType.BinaryView.INSTANCE));
    refuses(Field.nullable("c", new ArrowType.Interval(IntervalUnit.MONTH_DAY_NANO)));
    Field struct = new Field("item", FieldType.nullable(ArrowType.Struct.INSTANCE), List.of(ID));
    refuses(new Field("c", FieldType.nullable(new ArrowType.FixedSizeList(2)), List.of(struct)));
    refuses(
        new Field(
            "c",
            new FieldType(
                true,
                ArrowType.Struct.INSTANCE,
                null,
                Map.of("ARROW:extension:name", "lance.blob.v2")),
            List.of(ID)));
    for (Field element :
        List.of(
            Field.nullable("item", ArrowType.Utf8.INSTANCE),
            Field.nullable("item", ArrowType.LargeBinary.INSTANCE))) {
      refuses(new Field("c", FieldType.nullable(new ArrowType.FixedSizeList(2)), List.of(element)));
    }
    refuses(new Field("c", FieldType.nullable(new ArrowType.FixedSizeList(0)), List.of(ID)));
    refuses(new Field("c", FieldType.nullable(ArrowType.Struct.INSTANCE), List.of()));
    Field nulls = Field.nullable("n", ArrowType.Null.INSTANCE);
    refuses(new Field("c", FieldType.nullable(ArrowType.Struct.INSTANCE), List.of(nulls)));
    refuses(Field.nullable("c", new ArrowType.Decimal(50, 3, 256)));
    refuses(
        new Field(
            "outer",
            FieldType.nullable(ArrowType.List.INSTANCE),
            List.of(Field.nullable("c", ArrowType.Utf8View.INSTANCE))));
  }

  private void refuses(Field field) {
    assertEquals(ErrorCode.UNSUPPORTED_TYPE, freshFails(ID, field));
  }

  private ErrorCode freshFails(Field... fields) {
    return LanceFolder.codeOf(() -> WriteTarget.fresh(lance.at("t"), new Schema(List.of(fields))));
  }

  @Test
  void mapsAreWrittenInFormat22AndAllElseIn21() {
    Field entries =
        new Field(
            "entries",
            FieldType.notNullable(ArrowType.Struct.INSTANCE),
            List.of(
                new Field("key", FieldType.notNullable(ArrowType.Utf8.INSTANCE), null),
                Field.nullable(
                    "value", new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE))));
    Field map = new Field("m", FieldType.nullable(new ArrowType.Map(false)), List.of(entries));
    assertEquals("2.2", WriteTarget.fresh(lance.at("t"), new Schema(List.of(ID, map))).format());
    assertEquals("2.1", WriteTarget.fresh(lance.at("t"), new Schema(List.of(ID))).format());
    assertEquals(
        ErrorCode.UNSUPPORTED_TYPE,
        LanceFolder.codeOf(() -> SchemaGuard.checkReadable(new Schema(List.of(map)), "2.1")));
  }

  @Test
  void namesThatCannotReachNativeCodeAreRefused() {
    for (String name :
        List.of("a.b", "tick`x", "", "smile\uD83D\uDE00", "zero\0", "_rowid", "_RowAddr")) {
      assertEquals(
          ErrorCode.INVALID_ARGUMENT,
          freshFails(Field.nullable(name, new ArrowType.Int(32, true))),
          name);
    }
    assertEquals(ErrorCode.DUPLICATE_NAME, freshFails(ID, ID));
    assertEquals(ErrorCode.INVALID_ARGUMENT, freshFails());
  }

  private static LanceScanRequest request(List<String> columns) {
    return new LanceScanRequest(
        columns, false, Optional.empty(), OptionalLong.empty(), List.of(0), 100);
  }
}
