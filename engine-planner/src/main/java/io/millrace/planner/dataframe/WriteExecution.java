package io.millrace.planner.dataframe;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A write from begin to commit: one commit after all rows are written, abort on any failure. */
final class WriteExecution {
  private static final int FRAGMENT_COLUMN = 0;
  private static final int ROWS_COLUMN = 1;

  private final SessionServices services;
  private final QueryPlanning planning;

  WriteExecution(SessionServices services, QueryPlanning planning) {
    this.services = services;
    this.planning = planning;
  }

  WriteResult write(
      Relation rows,
      Configuration configuration,
      String connectorName,
      String uri,
      WriteMode mode,
      Map<String, String> options) {
    Connector connector = services.connectors().named(connectorName);
    Sources.requireKnown(connector.name(), "writing", connector.writeOptions(), options);
    SinkSpecification specification =
        new SinkSpecification(
            connector.name(),
            ClientPaths.absolute(uri),
            mode,
            rows.schema(),
            options,
            UUID.randomUUID().toString());
    try (TableSink sink =
        connector.openSink(specification, services.connectorContext().with(configuration))) {
      sink.begin();
      try {
        List<byte[]> fragments = new ArrayList<>();
        WriteResult written = run(rows, configuration, specification, fragments);
        sink.commit(fragments);
        return written;
      } catch (Throwable failure) {
        abort(sink, failure);
        throw failure;
      }
    }
  }

  private WriteResult run(
      Relation rows,
      Configuration configuration,
      SinkSpecification specification,
      List<byte[]> fragments) {
    long written = 0;
    try (ResultStream stream = planning.runWrite(rows, configuration, specification)) {
      for (Optional<Batch> next = stream.next(); next.isPresent(); next = stream.next()) {
        try (Batch batch = next.get()) {
          for (int row = 0; row < batch.rowCount(); row++) {
            fragments.add((byte[]) batch.valueAt(FRAGMENT_COLUMN, row));
            written += (Long) batch.valueAt(ROWS_COLUMN, row);
          }
        }
      }
      return new WriteResult(written, stream.profile());
    }
  }

  private static void abort(TableSink sink, Throwable failure) {
    try {
      sink.abort();
    } catch (RuntimeException second) {
      failure.addSuppressed(second);
    }
  }
}
