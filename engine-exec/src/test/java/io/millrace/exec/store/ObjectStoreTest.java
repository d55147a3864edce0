package io.millrace.exec.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.ObjectStore.ObjectStatus;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.format.csv.CsvConnector;
import io.millrace.exec.format.parquet.ParquetConnector;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.FixtureRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Web servers and S3, against a server in this process that fails when it is told to. */
class ObjectStoreTest {
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures");

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  private FaultyServer server;
  private SchemeStores stores;

  @BeforeEach
  void start() throws IOException {
    server = new FaultyServer();
    stores =
        new SchemeStores(
            new StoreSettings(
                server.address(),
                "",
                false,
                3,
                5_000,
                Map.of("AWS_ACCESS_KEY_ID", "key", "AWS_SECRET_ACCESS_KEY", "secret")),
            new ConcurrentHashMap<>());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Where the server's object of a path is found by a scheme. */
  private String uri(String scheme, String path) {
    return scheme.equals("http") ? server.address() + "/" + path : scheme + "://" + path;
  }

  /** These stores keep their settings whatever the configuration says. */
  private ConnectorContext context() {
    return new ConnectorContext(
        root.allocator(), ForkJoinPool.commonPool(), stores::of, Configuration.DEFAULTS);
  }

  private byte[] read(String uri, long offset, int length) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(length);
    try (ByteSource source = stores.of(uri).open(uri)) {
      source.readFully(offset, target);
    }
    return target.array();
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "s3"})
  void rangesAndStatus(String scheme) throws Exception {
    server.put("bucket/a b/é.bin", "0123456789".getBytes(StandardCharsets.UTF_8));
    String uri = uri(scheme, "bucket/a b/é.bin");
    ObjectStatus status = stores.of(uri).status(uri).orElseThrow();
    assertEquals(10, status.sizeBytes());
    assertTrue(status.etag().isPresent());
    assertEquals("345", new String(read(uri, 3, 3), StandardCharsets.UTF_8));
    assertTrue(stores.of(uri).status(uri + "x").isEmpty());
    assertThrows(IOException.class, () -> read(uri, 8, 3));
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultyServer.Fault.class,
      names = {"STATUS_500", "STATUS_503", "RESET", "SHORT_BODY"})
  void aWebServersPassingFaultsAreTriedAgain(FaultyServer.Fault fault) throws Exception {
    server.put("x.bin", "0123456789".getBytes(StandardCharsets.UTF_8));
    String uri = uri("http", "x.bin");
    try (ByteSource source = stores.of(uri).open(uri)) {
      server.faults.addAll(List.of(fault, fault));
      ByteBuffer target = ByteBuffer.allocate(4);
      source.readFully(2, target);
      assertEquals("2345", new String(target.array(), StandardCharsets.UTF_8));
      // Bounded: three attempts, then the failure.
      server.faults.addAll(Collections.nCopies(20, fault));
      IOException failure =
          assertThrows(IOException.class, () -> source.readFully(2, ByteBuffer.allocate(4)));
      assertTrue(failure.getMessage().contains("tried 3 times"), failure.getMessage());
      // The client itself tries a cut connection twice.
      assertTrue(server.faults.size() >= 20 - 6, "left " + server.faults.size());
      server.faults.clear();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = FaultyServer.Fault.class,
      names = {"STATUS_500", "STATUS_503", "RESET", "SHORT_BODY"})
  void s3sPassingFaultsAreTriedAgain(FaultyServer.Fault fault) throws Exception {
    server.put("bucket/x.bin", "0123456789".getBytes(StandardCharsets.UTF_8));
    try (ByteSource source = stores.of("s3://bucket/x.bin").open("s3://bucket/x.bin")) {
      server.faults.addAll(List.of(fault, fault));
      ByteBuffer target = ByteBuffer.allocate(4);
      source.readFully(2, target);
      assertEquals("2345", new String(target.array(), StandardCharsets.UTF_8));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "s3"})
  void aRefusalIsNotTriedAgain(String scheme) {
    server.put("bucket/x.bin", new byte[10]);
    String uri = uri(scheme, "bucket/x.bin");
    server.faults.add(FaultyServer.Fault.STATUS_403);
    assertThrows(IOException.class, () -> stores.of(uri).status(uri));
    assertEquals(1, server.requests.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "s3"})
  void anObjectThatChangesIsAnError(String scheme) throws Exception {
    server.put("bucket/x.csv", "a,b\n1,2\n".getBytes(StandardCharsets.UTF_8));
    TableScan scan = new TableScan(new CsvConnector(), context());
    String uri = uri(scheme, "bucket/x.csv");
    try (Table table = scan.open(List.of(uri))) {
      server.put("bucket/x.csv", "a,b\n1,3\n".getBytes(StandardCharsets.UTF_8));
      MillraceException changed = assertThrows(MillraceException.class, () -> scan.read(table));
      assertEquals(ErrorCode.SOURCE_CHANGED, changed.code());
    }
    if (scheme.equals("http")) {
      try (ByteSource source = stores.of(uri).open(uri)) {
        server.put("bucket/x.csv", "a,b\n1,4\n".getBytes(StandardCharsets.UTF_8));
        MillraceException changed =
            assertThrows(
                MillraceException.class, () -> source.readFully(0, ByteBuffer.allocate(2)));
        assertEquals(ErrorCode.SOURCE_CHANGED, changed.code());
      }
    }
  }

  @Test
  void objectsAreWrittenListedMovedAndDeleted() throws Exception {
    ObjectStore store = stores.of("s3://bucket/");
    byte[] large = new byte[20 << 20];
    new Random(1).nextBytes(large);
    for (Map.Entry<String, byte[]> object :
        Map.of("d/a.bin", large, "d/e/b c.bin", new byte[3], "f.bin", new byte[0]).entrySet()) {
      try (OutputStream stream = store.create("s3://bucket/" + object.getKey())) {
        stream.write(object.getValue());
      }
    }
    assertArrayEquals(large, server.objects().get("bucket/d/a.bin"));
    assertEquals(
        List.of("s3://bucket/d/a.bin", "s3://bucket/d/e/b c.bin"),
        store.list("s3://bucket/d").stream().map(ObjectStatus::uri).toList());
    assertTrue(store.isDirectory("s3://bucket/d"));
    assertFalse(store.isDirectory("s3://bucket/f.bin"));
    store.move("s3://bucket/d", "s3://bucket/g");
    assertEquals(
        List.of("bucket/f.bin", "bucket/g/a.bin", "bucket/g/e/b c.bin"),
        List.copyOf(server.objects().keySet()));
    store.delete("s3://bucket/g");
    store.delete("s3://bucket/none");
    assertEquals(List.of("bucket/f.bin"), List.copyOf(server.objects().keySet()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "s3"})
  void parquetIsReadByRanges(String scheme) throws Exception {
    Path fixture = FIXTURES.resolve("types.parquet");
    server.put("bucket/types.parquet", Files.readAllBytes(fixture));
    List<Batch> batches =
        new TableScan(new ParquetConnector(), context())
            .read(List.of(uri(scheme, "bucket/types.parquet")));
    try {
      assertEquals(List.of(), FixtureRows.ofFile(fixture).differences(batches));
    } finally {
      batches.forEach(Batch::close);
    }
  }

  @Test
  void foldersOfBucketsArePatternsPartitionsAndTargets() throws Exception {
    Schema schema =
        Schema.of(Field.nullable("k", DataType.INT64), Field.nullable("v", DataType.STRING));
    CsvConnector connector = new CsvConnector();
    for (WriteMode mode : List.of(WriteMode.CREATE, WriteMode.APPEND, WriteMode.OVERWRITE)) {
      SinkSpecification specification =
          new SinkSpecification(
              "csv",
              "s3://bucket/out/",
              mode,
              schema,
              Map.of("partition_by", "k"),
              UUID.randomUUID().toString());
      try (TableSink sink = connector.openSink(specification, context())) {
        sink.begin();
        try (BatchWriter writer = sink.openWriter("t")) {
          writer.write(
              new BatchGenerators(1, root.allocator())
                  .of(
                      schema,
                      List.of(List.of(1L, mode.name()), List.of(2L, mode.name())),
                      BatchForm.FLAT));
          sink.commit(List.of(writer.finish()));
        }
      }
    }
    assertEquals(2, server.objects().size(), server.objects().keySet().toString());
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch :
        new TableScan(connector, context()).read(List.of("s3://bucket/out/k=*/*.csv"))) {
      rows.addAll(BatchRows.of(batch));
      batch.close();
    }
    assertEquals(List.of(List.of("OVERWRITE", 1L), List.of("OVERWRITE", 2L)), rows);
  }

  @Test
  void settingsDecideAndSharedStoresAreKept() {
    SchemeStores discovered = new SchemeStores();
    Configuration changed = Configuration.DEFAULTS.with(Settings.STORE_ATTEMPTS, 2);
    assertEquals(discovered.with(changed), discovered.with(changed));
    assertFalse(discovered.with(changed).equals(discovered.with(Configuration.DEFAULTS)));
    assertEquals(
        ErrorCode.MISSING_ARTIFACT,
        assertThrows(MillraceException.class, () -> discovered.of("ftp://x/y")).code());
  }
}
