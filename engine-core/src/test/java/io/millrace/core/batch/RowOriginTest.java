package io.millrace.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RowOriginTest {
  private final RootMemory memory = new RootMemory(64L << 20);
  private final BufferAllocator allocator = memory.allocator();

  @AfterEach
  void close() {
    memory.close();
  }

  private ColumnVector bytes(RowOrigin origin, int rows) {
    try (VectorBuilder builder = new VectorBuilder(DataType.BINARY, allocator)) {
      for (int row = 0; row < rows; row++) {
        builder.appendBytes(new byte[] {(byte) row});
      }
      return builder.finish().withOrigin(origin);
    }
  }

  private static Optional<String> at(ColumnVector column, int row) {
    return column.origin().at(row);
  }

  @Test
  void aRowIsNamedByItsTableAndNumberAndAWholeFileByItsPath() {
    assertEquals(Optional.of("t row 12"), RowOrigin.consecutive("t", 10, 4).at(2));
    assertEquals(Optional.of("t row 99"), RowOrigin.rows("t", new long[] {5, 99}).at(1));
    assertEquals(Optional.of("b.jpg"), RowOrigin.files(List.of("a.jpg", "b.jpg")).at(1));
  }

  @Test
  void slicesGathersRetainsAndTransfersKeepIt() {
    try (ColumnVector column = bytes(RowOrigin.consecutive("t", 100, 6), 6);
        ColumnVector slice = column.slice(2, 3);
        ColumnVector gathered = Gather.rows(slice, new int[] {2, -1, 0}, 3, allocator);
        ColumnVector retained = gathered.retain();
        ColumnVector moved = Transfer.retain(retained, allocator)) {
      assertEquals(Optional.of("t row 103"), at(slice, 1));
      assertEquals(Optional.of("t row 104"), at(moved, 0));
      assertEquals(Optional.empty(), at(moved, 1));
      assertEquals(Optional.of("t row 102"), at(moved, 2));
    }
  }

  @Test
  void joinedColumnsKnowTheRowsOfEachPart() {
    try (ColumnVector first = bytes(RowOrigin.consecutive("a", 7, 2), 2);
        ColumnVector second = bytes(null, 1);
        ColumnVector third = bytes(RowOrigin.files(List.of("x", "y")), 2);
        ColumnVector joined = Concatenation.of(List.of(first, second, third), allocator)) {
      assertEquals(Optional.of("a row 8"), at(joined, 1));
      assertEquals(Optional.empty(), at(joined, 2));
      assertEquals(Optional.of("y"), at(joined, 4));
    }
  }

  @Test
  void aDictionaryKnowsTheRowsOfItsCodes() {
    try (VectorBuilder codes = new VectorBuilder(DataType.INT32, allocator)) {
      codes.appendLong(1);
      codes.appendLong(1);
      codes.appendLong(0);
      try (ColumnVector coded =
              new DictionaryVector(codes.finish(), (FlatVector) bytes(null, 2))
                  .withOrigin(RowOrigin.consecutive("t", 5, 3));
          ColumnVector flat = coded.flatten(allocator);
          ColumnVector gathered = Gather.flatten(coded, new int[] {2, 1}, 2, allocator)) {
        assertEquals(Optional.of("t row 6"), at(flat, 1));
        assertEquals(Optional.of("t row 7"), at(gathered, 0));
      }
    }
  }

  @Test
  void aBatchWrittenToDiskAndReadAgainKnowsItsRows() {
    Schema schema =
        Schema.of(
            Field.nullable("plain", DataType.BINARY), Field.nullable("known", DataType.BINARY));
    BatchCodec codec = BatchCodec.plain();
    try (Batch batch =
            new Batch(
                    schema, List.of(bytes(null, 4), bytes(RowOrigin.consecutive("t", 20, 4), 4)), 4)
                .withSelection(new int[] {1, 3}, 2);
        Batch read = codec.decode(codec.encode(batch, allocator), allocator)) {
      assertNull(read.column(0).origin());
      assertEquals(Optional.of("t row 21"), at(read.column(1), 0));
      assertEquals(Optional.of("t row 23"), at(read.column(1), 1));
    }
  }

  @Test
  void manyTinyValuesRememberNothingThatTakesMemoryForEach() {
    int[] backwards = new int[5_000];
    Arrays.setAll(backwards, row -> backwards.length - 1 - row);
    try (ColumnVector column = bytes(RowOrigin.consecutive("t", 0, 5_000), 5_000);
        ColumnVector few = Gather.rows(column, backwards, 100, allocator);
        ColumnVector many = Gather.rows(column, backwards, 5_000, allocator)) {
      assertEquals(Optional.of("t row 4999"), at(few, 0));
      assertNull(many.origin());
    }
  }

  @Test
  void damagedBytesAreAnErrorWithACode() {
    byte[] encoded = RowOrigin.files(List.of("a", "b")).encode();
    for (int length = 0; length < encoded.length; length++) {
      byte[] cut = Arrays.copyOf(encoded, length);
      assertEquals(
          ErrorCode.INVALID_FILE,
          assertThrows(MillraceException.class, () -> RowOrigin.decode(cut)).code());
    }
    assertEquals(Optional.of("b"), RowOrigin.decode(encoded).at(1));
  }
}
