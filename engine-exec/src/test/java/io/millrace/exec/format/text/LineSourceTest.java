package io.millrace.exec.format.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class LineSourceTest {
  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private List<Object> read(Path file) throws Exception {
    TableScan scan =
        new TableScan(
            new LineConnector(),
            new ConnectorContext(
                root.allocator(),
                ForkJoinPool.commonPool(),
                new SchemeStores(),
                Configuration.DEFAULTS));
    List<Object> rows = new ArrayList<>();
    for (Batch batch : scan.read(file)) {
      BatchRows.of(batch).forEach(rows::addAll);
      batch.close();
    }
    return rows;
  }

  @Test
  void aRowIsALine() throws Exception {
    Path file = Files.writeString(folder.resolve("a.txt"), "one\r\n\nthree, \"3\"\n日本");
    assertEquals(List.of("one", "", "three, \"3\"", "日本"), read(file));
    assertEquals(List.of(), read(Files.writeString(folder.resolve("b.txt"), "")));
  }

  @Test
  void aLineThatIsNotUtf8IsAnError() throws Exception {
    Path file = Files.write(folder.resolve("c.txt"), new byte[] {'a', '\n', (byte) 0xE4, '\n'});
    MillraceException problem = assertThrows(MillraceException.class, () -> read(file));
    assertEquals(ErrorCode.MALFORMED_VALUE, problem.code());
    assertEquals(true, problem.getMessage().contains("Line 2 of"));
  }
}
