package io.millrace.exec.format.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Table;
import io.millrace.core.type.DataType;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.format.csv.CsvConnector;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileSetTableTest {
  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private TableScan scan(Map<String, String> options) {
    return new TableScan(
            new CsvConnector(),
            new ConnectorContext(
                root.allocator(),
                ForkJoinPool.commonPool(),
                new SchemeStores(),
                Configuration.DEFAULTS))
        .options(options);
  }

  private void file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static List<List<Object>> rows(List<Batch> batches) {
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch : batches) {
      rows.addAll(BatchRows.of(batch));
      batch.close();
    }
    return rows;
  }

  @Test
  void foldersGiveTypedDecodedColumnsAndNull() throws Exception {
    file("n=1/d=2024-02-29/s=a%2Fb%20c/x.csv", "v\n10\n");
    file("n=-20/d=__HIVE_DEFAULT_PARTITION__/s=%C3%A9%zz/x.csv", "v\n20\n");
    file("n=007/d=2024-01-01/s=5/x.csv", "v\n30\n");
    try (Table table = scan(Map.of()).open(folder)) {
      assertEquals(List.of("v", "n", "d", "s"), table.schema().names());
      assertEquals(
          List.of(DataType.INT64, DataType.INT64, DataType.DATE, DataType.STRING),
          table.schema().types());
    }
    assertEquals(
        List.of(
            Arrays.asList(20L, -20L, null, "é%zz"),
            List.of(30L, 7L, LocalDate.parse("2024-01-01"), "5"),
            List.of(10L, 1L, LocalDate.parse("2024-02-29"), "a/b c")),
        rows(scan(Map.of()).read(folder)));
  }

  @Test
  void oneValueThatIsNoNumberMakesTheColumnText() throws Exception {
    file("k=1/x.csv", "v\n1\n");
    file("k=99999999999999999999/x.csv", "v\n2\n");
    try (Table table = scan(Map.of()).open(folder)) {
      assertEquals(DataType.STRING, table.schema().field(1).type());
    }
  }

  @Test
  void typesMayBeSwitchedOff() throws Exception {
    file("k=01/x.csv", "v\n1\n");
    assertEquals(
        List.of(List.of(1L, "01")),
        rows(scan(Map.of("hive_types_autocast", "false")).read(folder)));
  }

  @Test
  void aFilterOnAFolderLeavesFilesUnread() throws Exception {
    file("k=1/x.csv", "v\n10\n");
    file("k=2/x.csv", "v\n20\n");
    TableScan scan =
        scan(Map.of())
            .filters(
                List.of(
                    new PhysicalExpression.Call(
                        "eq",
                        List.of(
                            new PhysicalExpression.Input(1, DataType.INT64),
                            new PhysicalExpression.Constant(2L, DataType.INT64)),
                        DataType.BOOLEAN)));
    try (Table table = scan.open(folder)) {
      Files.delete(folder.resolve("k=1/x.csv"));
      assertEquals(1, table.splits(scan.specification(table), 2).size());
      assertEquals(List.of(List.of(20L, 2L)), rows(scan.read(table)));
    }
  }

  @Test
  void aFoldersValueCountsMoreThanTheFilesColumn() throws Exception {
    file("k=1/x.csv", "k,v\n9,10\n");
    file("k=2/x.csv", "k,v\n9,20\n");
    assertEquals(List.of(List.of(1L, 10L), List.of(2L, 20L)), rows(scan(Map.of()).read(folder)));
    assertEquals(
        List.of(List.of(9L, 10L), List.of(9L, 20L)),
        rows(scan(Map.of("hive_partitioning", "false")).read(folder)));
  }

  @Test
  void otherKeysMakeNoColumnsUnlessRequired() throws Exception {
    file("k=1/x.csv", "v\n10\n");
    file("y.csv", "v\n20\n");
    assertEquals(List.of(List.of(10L), List.of(20L)), rows(scan(Map.of()).read(folder)));
    MillraceException refused =
        assertThrows(
            MillraceException.class,
            () -> scan(Map.of("hive_partitioning", "true")).open(folder).close());
    assertEquals(ErrorCode.SCHEMA_MISMATCH, refused.code());
    assertTrue(refused.getMessage().contains("y.csv"), refused.getMessage());
    assertTrue(refused.getMessage().contains("k=1/x.csv"), refused.getMessage());
  }

  @Test
  void theFilesNameIsAColumn() throws Exception {
    file("a.csv", "v\n10\n");
    file("b.csv", "v\n20\n");
    assertEquals(
        List.of(List.of("a.csv"), List.of("b.csv")),
        rows(scan(Map.of("filename", "true")).columns(List.of("filename")).read(folder)).stream()
            .map(row -> List.<Object>of(Path.of((String) row.getFirst()).getFileName().toString()))
            .toList());
    try (Table table = scan(Map.of("include_file_paths", "source")).open(folder)) {
      assertEquals(List.of("v", "source"), table.schema().names());
    }
    assertEquals(
        ErrorCode.INVALID_OPTION_VALUE,
        assertThrows(
                MillraceException.class, () -> scan(Map.of("filename", "v")).open(folder).close())
            .code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "a/b", "k=v&x~y", "é%20", "", "-_. ,;@()+!$", "\n\t*?"})
  void foldersOfEncodedValuesAreDecoded(String value) {
    String path = "data/" + HivePartitions.folder("the key", value) + "/x.parquet";
    assertEquals(Map.of("the key", value), HivePartitions.of(path));
  }
}
