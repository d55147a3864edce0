package io.millrace.lance;

import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.lance.jni.LanceRuntime;
import io.millrace.lance.read.LanceReads;
import io.millrace.lance.write.LanceSink;
import java.util.Set;

/**
 * Lance tables: folders whose name ends in {@code .lance}. Nothing native is loaded before the
 * first table is opened.
 */
public final class LanceConnector implements Connector {
  /** The name in {@code .format(name)} and in plans. */
  public static final String NAME = "lance";

  // Shared by all tables of the process. The library's own defaults, 6 GiB and 1 GiB, know nothing
  // of
  // the process's memory budget.
  private static final long INDEX_CACHE_BYTES = 64L << 20;
  private static final long METADATA_CACHE_BYTES = 64L << 20;

  private final LanceRuntime runtime;

  public LanceConnector() {
    runtime = new LanceRuntime(INDEX_CACHE_BYTES, METADATA_CACHE_BYTES);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<String> suffixes() {
    return Set.of(".lance");
  }

  @Override
  public Set<String> readOptions() {
    return LanceReads.OPTIONS;
  }

  @Override
  public Set<String> writeOptions() {
    return LanceSink.OPTIONS;
  }

  @Override
  public Table open(SourceReference source, ConnectorContext context) {
    return new LanceReads(runtime, context).open(source);
  }

  @Override
  public BatchSource openScan(
      ScanSpecification specification, Split split, ConnectorContext context) {
    return new LanceReads(runtime, context).scan(specification, split);
  }

  @Override
  public RowTaker openTaker(SourceReference source, ConnectorContext context) {
    return new LanceReads(runtime, context).taker(source);
  }

  @Override
  public TableSink openSink(SinkSpecification specification, ConnectorContext context) {
    return new LanceSink(runtime, specification, context);
  }
}
