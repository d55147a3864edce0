package io.millrace.testkit.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.batch.ArrowBatches;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.IntervalValue;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.RunEndEncodedVector;
import org.apache.arrow.vector.complex.impl.UnionLargeListWriter;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Arrow data as other writers make it. */
class ForeignArrowTest {
  @RegisterExtension final RootAllocatorFixture memory = new RootAllocatorFixture();

  /** Reads and closes the vector; gives type and values. */
  private Map.Entry<DataType, List<Object>> read(FieldVector vector) {
    try (VectorSchemaRoot root = VectorSchemaRoot.of(vector);
        Batch batch = ArrowBatches.fromArrow(root, memory.allocator())) {
      List<Object> values = new ArrayList<>();
      BatchRows.of(batch).forEach(row -> values.add(row.get(0)));
      return Map.entry(batch.schema().field(0).type(), values);
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void largeTextIsNarrowed() {
    LargeVarCharVector vector = new LargeVarCharVector("a", memory.allocator());
    vector.setSafe(0, utf8("one"));
    vector.setNull(1);
    vector.setSafe(2, utf8("日本"));
    vector.setValueCount(3);
    assertEquals(Map.entry(DataType.STRING, Arrays.asList("one", null, "日本")), read(vector));
  }

  @Test
  void emptyVectorsOfEveryWidthAreRead() {
    LargeVarCharVector large = new LargeVarCharVector("a", memory.allocator());
    assertEquals(List.of(), read(large).getValue());
    VarCharVector plain = new VarCharVector("a", memory.allocator());
    assertEquals(List.of(), read(plain).getValue());
  }

  @Test
  void viewsAreCopied() {
    ViewVarCharVector vector = new ViewVarCharVector("a", memory.allocator());
    vector.allocateNew(3);
    vector.setSafe(0, utf8("short"));
    vector.setSafe(1, utf8("longer than twelve bytes"));
    vector.setNull(2);
    vector.setValueCount(3);
    assertEquals(
        Map.entry(DataType.STRING, Arrays.asList("short", "longer than twelve bytes", null)),
        read(vector));
  }

  @Test
  void largeListsAreNarrowed() {
    LargeListVector vector = LargeListVector.empty("a", memory.allocator());
    UnionLargeListWriter writer = vector.getWriter();
    writer.allocate();
    writer.setPosition(0);
    writer.startList();
    writer.integer().writeInt(1);
    writer.integer().writeInt(2);
    writer.endList();
    writer.setPosition(1);
    writer.startList();
    writer.endList();
    vector.setValueCount(2);
    assertEquals(
        Map.entry(DataType.list(DataType.INT32), List.of(List.of(1, 2), List.of())), read(vector));
  }

  @Test
  void otherTemporalAndDecimalLayoutsAreConverted() {
    DateMilliVector dates = new DateMilliVector("a", memory.allocator());
    dates.setSafe(0, -1L);
    dates.setNull(1);
    dates.setValueCount(2);
    assertEquals(
        Map.entry(DataType.DATE, Arrays.asList(LocalDate.of(1969, 12, 31), null)), read(dates));

    IntervalYearVector months = new IntervalYearVector("a", memory.allocator());
    months.setSafe(0, 14);
    months.setValueCount(1);
    assertEquals(Map.entry(DataType.INTERVAL, List.of(new IntervalValue(14, 0, 0))), read(months));

    IntervalDayVector days = new IntervalDayVector("a", memory.allocator());
    days.setSafe(0, 3, -250);
    days.setValueCount(1);
    assertEquals(
        Map.entry(DataType.INTERVAL, List.of(new IntervalValue(0, 3, -250_000_000L))), read(days));

    Decimal256Vector decimals = new Decimal256Vector("a", memory.allocator(), 20, 2);
    decimals.setSafe(0, new BigDecimal("-12345678901234567.89"));
    decimals.setValueCount(1);
    assertEquals(
        Map.entry(DataType.decimal(20, 2), List.of(new BigDecimal("-12345678901234567.89"))),
        read(decimals));
  }

  @Test
  void runEndsAreExpanded() {
    Field ends = new Field("run_ends", FieldType.notNullable(new ArrowType.Int(32, true)), null);
    Field values = new Field("values", FieldType.nullable(new ArrowType.Int(64, true)), null);
    IntVector runEnds = new IntVector(ends, memory.allocator());
    BigIntVector runValues = new BigIntVector(values, memory.allocator());
    RunEndEncodedVector vector =
        new RunEndEncodedVector(
            new Field(
                "a", FieldType.notNullable(new ArrowType.RunEndEncoded()), List.of(ends, values)),
            memory.allocator(),
            runEnds,
            runValues,
            null);
    runEnds.setSafe(0, 2);
    runEnds.setSafe(1, 3);
    runEnds.setSafe(2, 5);
    runEnds.setValueCount(3);
    runValues.setSafe(0, 7L);
    runValues.setNull(1);
    runValues.setSafe(2, 9L);
    runValues.setValueCount(3);
    vector.setValueCount(5);
    assertEquals(Map.entry(DataType.INT64, Arrays.asList(7L, 7L, null, 9L, 9L)), read(vector));
  }

  @Test
  void dictionaryWithNullEntriesAndSmallCodesIsRead() {
    VarCharVector words = new VarCharVector("words", memory.allocator());
    words.setSafe(0, utf8("red"));
    words.setNull(1);
    words.setSafe(2, utf8("blue"));
    words.setValueCount(3);
    DictionaryEncoding encoding = new DictionaryEncoding(5, false, new ArrowType.Int(8, true));
    TinyIntVector codes =
        new TinyIntVector(
            "color", new FieldType(true, new ArrowType.Int(8, true), encoding), memory.allocator());
    for (int row = 0; row < 3; row++) {
      codes.setSafe(row, 2 - row);
    }
    codes.setNull(3);
    codes.setValueCount(4);
    try (DictionaryProvider.MapDictionaryProvider dictionaries =
            new DictionaryProvider.MapDictionaryProvider(new Dictionary(words, encoding));
        VectorSchemaRoot root = VectorSchemaRoot.of(codes);
        Batch batch = ArrowBatches.fromArrow(root, dictionaries, memory.allocator())) {
      assertEquals(DataType.STRING, batch.schema().field(0).type());
      DictionaryVector vector = assertInstanceOf(DictionaryVector.class, batch.column(0));
      assertEquals(0, vector.dictionary().nullCount());
      assertEquals(
          List.of(
              List.of("blue"),
              Arrays.asList((Object) null),
              List.of("red"),
              Arrays.asList((Object) null)),
          BatchRows.of(batch));
    }
  }

  @Test
  void missingDictionaryIsAnError() {
    DictionaryEncoding encoding = new DictionaryEncoding(5, false, new ArrowType.Int(32, true));
    try (IntVector codes =
            new IntVector(
                "color",
                new FieldType(true, new ArrowType.Int(32, true), encoding),
                memory.allocator());
        VectorSchemaRoot root = VectorSchemaRoot.of(codes)) {
      MillraceException failure =
          assertThrows(
              MillraceException.class, () -> ArrowBatches.fromArrow(root, memory.allocator()));
      assertEquals(ErrorCode.INVALID_FILE, failure.code());
    }
  }

  @Test
  void unionsAreRefusedByName() {
    try (DenseUnionVector union = DenseUnionVector.empty("odd", memory.allocator());
        VectorSchemaRoot root = VectorSchemaRoot.of(union)) {
      MillraceException failure =
          assertThrows(
              MillraceException.class, () -> ArrowBatches.fromArrow(root, memory.allocator()));
      assertEquals(ErrorCode.UNSUPPORTED_TYPE, failure.code());
    }
  }

  @Test
  void canonicalUuidIsKnown() {
    FixedSizeBinaryVector vector =
        new FixedSizeBinaryVector(
            "id",
            new FieldType(
                true,
                new ArrowType.FixedSizeBinary(16),
                null,
                Map.of("ARROW:extension:name", "arrow.uuid", "ARROW:extension:metadata", "")),
            memory.allocator());
    vector.setSafe(0, new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});
    vector.setValueCount(1);
    assertEquals(
        Map.entry(DataType.UUID, List.of(UUID.fromString("00010203-0405-0607-0809-0a0b0c0d0e0f"))),
        read(vector));
  }

  @Test
  void unknownExtensionReadsAsItsStorage() {
    VarCharVector vector =
        new VarCharVector(
            "a",
            new FieldType(
                true, new ArrowType.Utf8(), null, Map.of("ARROW:extension:name", "arrow.json")),
            memory.allocator());
    vector.setSafe(0, utf8("{}"));
    vector.setValueCount(1);
    assertEquals(Map.entry(DataType.STRING, List.of("{}")), read(vector));
  }

  @Test
  void vectorOfAnotherTypeIsRefused() {
    try (IntVector vector = new IntVector("a", memory.allocator())) {
      MillraceException failure =
          assertThrows(
              MillraceException.class,
              () -> ArrowBatches.fromVector(vector, DataType.INT64, memory.allocator()));
      assertEquals(ErrorCode.TYPE_MISMATCH, failure.code());
    }
  }

  @Test
  void importedColumnOutlivesTheVector() {
    ColumnVector column;
    try (BigIntVector vector = new BigIntVector("a", memory.allocator())) {
      vector.setSafe(0, 42L);
      vector.setValueCount(1);
      column = ArrowBatches.fromVector(vector, DataType.INT64, memory.allocator());
    }
    try (column) {
      assertEquals(42L, column.valueAt(0));
    }
  }
}
