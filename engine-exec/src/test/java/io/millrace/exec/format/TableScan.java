package io.millrace.exec.format;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RuntimeFilter;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Step;
import io.millrace.core.spi.Table;
import io.millrace.core.type.Schema;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Reads a whole table through a connector, split by split, as a test wants it. */
public final class TableScan {
  private final Connector connector;
  private final ConnectorContext context;
  private Map<String, String> options = Map.of();
  private List<String> columns;
  private List<PhysicalExpression> filters = List.of();
  private OptionalLong limit = OptionalLong.empty();
  private List<RuntimeFilter> restrictions = List.of();
  private int parallelism = 2;

  public TableScan(Connector connector, ConnectorContext context) {
    this.connector = connector;
    this.context = context;
  }

  public TableScan options(Map<String, String> newOptions) {
    options = newOptions;
    return this;
  }

  /** Only these columns, in this order; all of them unless said. */
  public TableScan columns(List<String> names) {
    columns = names;
    return this;
  }

  /** Conjuncts that the table must accept. */
  public TableScan filters(List<PhysicalExpression> conjuncts) {
    filters = conjuncts;
    return this;
  }

  /** Runtime filters that the source must take. */
  public TableScan restrictions(List<RuntimeFilter> filters) {
    restrictions = filters;
    return this;
  }

  public TableScan limit(long rows) {
    limit = OptionalLong.of(rows);
    return this;
  }

  public TableScan parallelism(int wanted) {
    parallelism = wanted;
    return this;
  }

  /** The table, which the caller closes. */
  public Table open(Path path) {
    return connector.open(
        new SourceReference(
            0, connector.name(), List.of(path.toString()), options, Optional.empty()),
        context);
  }

  /** A table of URIs or patterns, which the caller closes. */
  public Table open(List<String> uris) {
    return connector.open(
        new SourceReference(0, connector.name(), uris, options, Optional.empty()), context);
  }

  /** All batches of URIs or patterns; the caller owns them. */
  public List<Batch> read(List<String> uris) throws Exception {
    try (Table table = open(uris)) {
      return read(table);
    }
  }

  /** All batches; the caller owns them. */
  public List<Batch> read(Path path) throws Exception {
    try (Table table = open(path)) {
      return read(table);
    }
  }

  public List<Batch> read(Table table) throws Exception {
    ScanSpecification specification = specification(table);
    List<Batch> batches = new ArrayList<>();
    try {
      for (Split split : table.splits(specification, parallelism)) {
        try (BatchSource source = connector.openScan(specification, split, context)) {
          if (!restrictions.isEmpty()) {
            assertTrue(source.restrict(restrictions));
          }
          drain(source, batches);
        }
      }
      return batches;
    } catch (Exception | Error failure) {
      batches.forEach(Batch::close);
      throw failure;
    }
  }

  public ScanSpecification specification(Table table) {
    Schema schema = table.schema();
    List<ScanColumn> wanted = new ArrayList<>();
    for (String name : columns == null ? schema.names() : columns) {
      wanted.add(new ScanColumn(name, schema.field(schema.indexOf(name))));
    }
    if (!filters.isEmpty()) {
      assertTrue(table.acceptedFilters(filters).containsAll(filters));
    }
    return new ScanSpecification(table.source(), schema, wanted, filters, limit);
  }

  private static void drain(BatchSource source, List<Batch> batches) throws Exception {
    while (true) {
      switch (source.poll()) {
        case Step.Output output -> batches.add(output.batch());
        case Step.Blocked blocked -> await(blocked);
        case Step.Finished finished -> {
          return;
        }
        case Step.NeedInput needInput -> throw new AssertionError("a source asked for input");
      }
    }
  }

  private static void await(Step.Blocked blocked) throws Exception {
    try {
      blocked.ready().get(30, TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      throw MillraceException.of(failure);
    }
  }
}
