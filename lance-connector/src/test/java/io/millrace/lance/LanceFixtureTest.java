package io.millrace.lance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.VersionedTable;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import io.millrace.testkit.FixtureRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables written by Lance's Python package read here value by value. */
class LanceFixtureTest {
  private static final String[] VERSIONS = {"1", "2", "3"};

  @ParameterizedTest
  @ValueSource(strings = {"types-2.1", "types-2.2", "stable-row-ids-2.2"})
  void everyVersionReadsAsThePythonPackageSaysItIs(String name) throws IOException {
    for (String version : VERSIONS) {
      for (String batchRows : List.of("1", "7", "16384")) {
        try (LanceHarness lance = new LanceHarness(Map.of("batch.rows", batchRows));
            Table table = lance.open(LanceHarness.fixture(name).toString(), "version", version)) {
          FixtureRows expected =
              FixtureRows.ofVersion(LanceHarness.fixture(name), Long.parseLong(version));
          assertEquals(Long.parseLong(version), ((VersionedTable) table).version());
          assertEquals(3, ((VersionedTable) table).latestVersion());
          assertEquals(OptionalLong.of(expected.rowCount()), table.statistics().rowCount());
          List<Batch> batches =
              lance.batches(
                  table,
                  LanceHarness.scanOf(
                      table, table.schema().names(), List.of(), OptionalLong.empty()));
          assertEquals(List.of(), expected.differences(batches));
          batches.forEach(Batch::close);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"types-2.1", "types-2.2", "stable-row-ids-2.2"})
  void heavyValuesAreTakenByReferenceAndEqual(String name) throws IOException {
    Path dataset = LanceHarness.fixture(name);
    for (String version : VERSIONS) {
      try (LanceHarness lance = new LanceHarness(Map.of("lazy.value.bytes", "64"));
          Table table = lance.open(dataset.toString(), "version", version);
          RowTaker taker = lance.connector.openTaker(table.source(), lance.context)) {
        assertTrue(table.heavyColumns().contains("photo"));
        ScanSpecification references =
            new ScanSpecification(
                table.source(),
                table.schema(),
                List.of(LanceHarness.reference(table, "photo")),
                List.of(),
                OptionalLong.empty());
        long[] addresses =
            lance.rows(table, references).stream()
                .mapToLong(row -> (Long) row.getFirst())
                .toArray();
        FixtureRows expected = FixtureRows.ofVersion(dataset, Long.parseLong(version));
        RowTaker.Taken taken = taker.take(addresses, List.of("photo", "id", "tags")).join();
        assertEquals(List.of(), expected.differences(List.of(taken.batch())));
        assertTrue(taken.readBytes() > 0);
        taken.batch().close();

        List<Integer> positions = new ArrayList<>();
        List<Long> some = new ArrayList<>();
        for (int position = 1; position < addresses.length; position += 3) {
          positions.add(position);
          some.add(addresses[position]);
        }
        RowTaker.Taken few =
            taker.take(some.stream().mapToLong(Long::longValue).toArray(), List.of("photo")).join();
        assertEquals(List.of(), expected.select(positions).differences(List.of(few.batch())));
        few.batch().close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"types-2.1", "types-2.2", "stable-row-ids-2.2"})
  void nullsOfEveryTypeAreFoundByThePredicate(String name) {
    try (LanceHarness lance = new LanceHarness();
        Table table = lance.open(LanceHarness.fixture(name).toString())) {
      for (String column : table.schema().names()) {
        PhysicalExpression isNull =
            new PhysicalExpression.Call(
                "is_null", List.of(LanceHarness.input(table, column)), DataType.BOOLEAN);
        assertEquals(List.of(isNull), table.acceptedFilters(List.of(isNull)));
        List<List<Object>> found =
            lance.rows(
                table,
                LanceHarness.scanOf(table, List.of("id"), List.of(isNull), OptionalLong.empty()));
        List<List<Object>> expected =
            lance
                .rows(
                    table,
                    LanceHarness.scanOf(
                        table, List.of("id", column), List.of(), OptionalLong.empty()))
                .stream()
                .filter(row -> row.get(1) == null)
                .map(row -> row.subList(0, 1))
                .toList();
        assertEquals(expected, found, column);
      }
    }
  }

  @Test
  void typesAreTheEnginesOwn() {
    try (LanceHarness lance = new LanceHarness();
        Table table = lance.open(LanceHarness.fixture("types-2.1").toString())) {
      assertEquals(DataType.BINARY, LanceHarness.field(table, "photo").type());
      assertEquals(
          new DataType.Timestamp(TimeUnit.MICROSECOND, Optional.of("UTC")),
          LanceHarness.field(table, "seen_utc").type());
      assertEquals(DataType.decimal(38, 10), LanceHarness.field(table, "total").type());
      assertTrue(!LanceHarness.field(table, "id").nullable());
      assertEquals(Set.of(), table.heavyColumns());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void dictionaryColumnsReadAsTheirValues(String version) throws IOException {
    Path dataset = LanceHarness.fixture("dictionary-2.2");
    FixtureRows expected = FixtureRows.ofVersion(dataset, Long.parseLong(version));
    try (LanceHarness lance = new LanceHarness();
        Table table = lance.open(dataset.toString(), "version", version);
        RowTaker taker = lance.connector.openTaker(table.source(), lance.context)) {
      assertEquals(DataType.STRING, LanceHarness.field(table, "word").type());
      List<Batch> batches =
          lance.batches(
              table,
              LanceHarness.scanOf(
                  table, List.of("word", "after", "id"), List.of(), OptionalLong.empty()));
      assertEquals(List.of(), expected.differences(batches));
      batches.forEach(Batch::close);
      RowTaker.Taken taken = taker.take(new long[] {0, 1, 3, 4}, List.of("word")).join();
      assertEquals(
          List.of(), expected.select(List.of(0, 1, 3, 4)).differences(List.of(taken.batch())));
      taken.batch().close();
      PhysicalExpression rain =
          new PhysicalExpression.Call(
              "eq",
              List.of(
                  LanceHarness.input(table, "word"),
                  new PhysicalExpression.Constant("rain", DataType.STRING)),
              DataType.BOOLEAN);
      assertEquals(List.of(), table.acceptedFilters(List.of(rain)));
    }
    assertAppendRefused(dataset, "dictionary-2.2");
  }

  @Test
  void blobsOfTheSecondKindAreTakenWithTheirNulls() throws IOException {
    Path dataset = LanceHarness.fixture("blob-2.2");
    FixtureRows expected = FixtureRows.ofVersion(dataset, 1);
    try (LanceHarness lance = new LanceHarness();
        Table table = lance.open(dataset.toString());
        RowTaker taker = lance.connector.openTaker(table.source(), lance.context)) {
      assertEquals(DataType.BINARY, LanceHarness.field(table, "photo").type());
      assertEquals(Set.of("photo"), table.heavyColumns());
      RowTaker.Taken taken = taker.take(new long[] {0, 1, 2, 3, 4}, List.of("photo", "id")).join();
      assertEquals(List.of(), expected.differences(List.of(taken.batch())));
      taken.batch().close();
      PhysicalExpression isNull =
          new PhysicalExpression.Call(
              "is_null", List.of(LanceHarness.input(table, "photo")), DataType.BOOLEAN);
      assertEquals(List.of(), table.acceptedFilters(List.of(isNull)));
      PhysicalExpression late =
          new PhysicalExpression.Call(
              "ge",
              List.of(
                  LanceHarness.input(table, "id"),
                  new PhysicalExpression.Constant(3L, DataType.INT64)),
              DataType.BOOLEAN);
      assertEquals(
          List.of(List.of(3L), List.of(4L)),
          lance.rows(
              table,
              LanceHarness.scanOf(table, List.of("id"), List.of(late), OptionalLong.empty())));
    }
    assertAppendRefused(dataset, "blob-2.2");
  }

  /** What is only read must not be written back in another form. */
  private static void assertAppendRefused(Path dataset, String name) {
    try (LanceHarness lance = new LanceHarness();
        Table table = lance.open(dataset.toString());
        TableSink sink =
            lance.connector.openSink(
                lance.sink(dataset.toString(), WriteMode.APPEND, table.schema()), lance.context)) {
      assertEquals(ErrorCode.UNSUPPORTED_TYPE, LanceHarness.codeOf(sink::begin), name);
    }
  }

  @Test
  void aTagNamesAVersion() {
    try (LanceHarness lance = new LanceHarness()) {
      String uri = LanceHarness.fixture("types-2.2").toString();
      try (Table table = lance.open(uri, "tag", "before-delete")) {
        assertEquals(2, ((VersionedTable) table).version());
        assertEquals(OptionalLong.of(30), table.statistics().rowCount());
      }
      assertEquals(
          ErrorCode.UNKNOWN_VERSION,
          LanceHarness.codeOf(() -> lance.open(uri, "tag", "before-delet").close()));
      assertEquals(
          ErrorCode.UNKNOWN_VERSION,
          LanceHarness.codeOf(() -> lance.open(uri, "version", "4").close()));
      assertEquals(
          ErrorCode.INVALID_OPTION_VALUE,
          LanceHarness.codeOf(() -> lance.open(uri, "version", "newest").close()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"guard-format-2.3", "guard-mixed-formats"})
  void formatsThatWouldEndTheProcessAreRefused(String name) {
    try (LanceHarness lance = new LanceHarness()) {
      assertEquals(
          ErrorCode.UNSUPPORTED_FORMAT,
          LanceHarness.codeOf(() -> lance.open(LanceHarness.fixture(name).toString()).close()));
    }
  }
}
