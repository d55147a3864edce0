package io.millrace.lance.jni;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

class BlobReadTest {
  private static final Field ID = Field.nullable("id", new ArrowType.Int(64, true));
  private static final Field BLOB =
      new Field(
          "clip",
          new FieldType(
              true, ArrowType.LargeBinary.INSTANCE, null, Map.of("lance-encoding:blob", "true")),
          null);

  /** Row 3 is null, row 0 is empty, the others have a thousand bytes a row number. */
  private static byte[] clip(int row) {
    byte[] bytes = new byte[row * 1_000];
    java.util.Arrays.fill(bytes, (byte) row);
    return row == 3 ? null : bytes;
  }

  @Test
  void blobsAreTakenWithNullsAndEmptyValuesToldApart() {
    try (LanceFolder lance = new LanceFolder()) {
      WriteTarget target = WriteTarget.fresh(lance.at("clips"), new Schema(List.of(ID, BLOB)));
      List<FragmentFile> fragments =
          lance.write(
              target,
              6,
              (root, row, rowOfFragment) -> {
                ((BigIntVector) root.getVector("id")).setSafe(row, row);
                if (clip(row) != null) {
                  ((LargeVarBinaryVector) root.getVector("clip")).setSafe(row, clip(row));
                }
              });
      new LanceCommit(lance.runtime, lance.allocator, target, "w").create(fragments);
      try (LanceDataset table = lance.open(target.location())) {
        assertTrue(LanceDataset.isBlob(table.schema().findField("clip")));
        try (TakenRows rows = table.take(List.of("clip", "id"), new long[] {0, 2, 3, 5})) {
          LargeVarBinaryVector clips = (LargeVarBinaryVector) rows.columns().getFirst();
          assertArrayEquals(clip(0), clips.getObject(0));
          assertArrayEquals(clip(2), clips.getObject(1));
          assertTrue(clips.isNull(2));
          assertArrayEquals(clip(5), clips.getObject(3));
          assertEquals(5L, rows.columns().get(1).getObject(3));
        }
        try (TakenRows none = table.take(List.of("clip"), new long[] {3})) {
          assertTrue(none.columns().getFirst().isNull(0));
        }
        assertEquals(
            ErrorCode.UNSUPPORTED_TYPE,
            LanceFolder.codeOf(
                () ->
                    table.scan(
                        new LanceScanRequest(
                            List.of("clip"),
                            false,
                            Optional.empty(),
                            OptionalLong.empty(),
                            List.of(0),
                            10),
                        lance.allocator)));
      }
    }
  }

  @Test
  void aMapAndABlobDoNotGoIntoOneTable() {
    Field entries =
        new Field(
            "entries",
            FieldType.notNullable(ArrowType.Struct.INSTANCE),
            List.of(new Field("key", FieldType.notNullable(ArrowType.Utf8.INSTANCE), null), ID));
    Field map = new Field("m", FieldType.nullable(new ArrowType.Map(false)), List.of(entries));
    assertEquals(
        ErrorCode.UNSUPPORTED_TYPE,
        LanceFolder.codeOf(
            () -> WriteTarget.fresh(LanceLocation.of("/t.lance"), new Schema(List.of(map, BLOB)))));
  }
}
