package io.millrace.exec.format.parquet;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.file.FileListing;
import io.millrace.exec.format.file.FileSetOptions;
import io.millrace.exec.format.file.FileSetScan;
import io.millrace.exec.format.file.FileSetTable;
import io.millrace.exec.format.file.PinnedFile;
import io.millrace.exec.format.output.FileSink;
import io.millrace.exec.format.output.SinkOptions;
import io.millrace.exec.format.parquet.read.ParquetFooter;
import io.millrace.exec.format.parquet.write.ParquetFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Parquet files: one, a folder of them, or a pattern. */
public final class ParquetConnector implements Connector {
  private static final int FOOTERS_AT_ONCE = 64;

  private final ParquetServices services = new ParquetServices();

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public Set<String> suffixes() {
    return Set.of(".parquet", ".parq", ".pq");
  }

  @Override
  public Set<String> readOptions() {
    return FileSetOptions.and(Set.of());
  }

  @Override
  public Set<String> writeOptions() {
    return SinkOptions.and(ParquetFormat.OPTIONS);
  }

  @Override
  public Table open(SourceReference source, ConnectorContext context) {
    List<PinnedFile> files = new FileListing(context.stores()).dataFiles(source.uris(), "Parquet");
    List<ParquetFooter> footers = footers(files, context);
    List<String> uris = files.stream().map(PinnedFile::uri).toList();
    ParquetTable table =
        new ParquetTable(
            source.withPin(uris, PinnedFile.pin(files)), footers, services.expressions(), context);
    List<Schema> schemas = footers.stream().map(footer -> footer.schema().schema()).toList();
    return FileSetTable.around(table, files, schemas, context);
  }

  /** Many footers are read at once: each is a wait for the store more than work. */
  private List<ParquetFooter> footers(List<PinnedFile> files, ConnectorContext context) {
    List<ParquetFooter> footers = new ArrayList<>(files.size());
    for (int from = 0; from < files.size(); from += FOOTERS_AT_ONCE) {
      List<CompletableFuture<ParquetFooter>> reading = new ArrayList<>();
      for (PinnedFile file : files.subList(from, Math.min(files.size(), from + FOOTERS_AT_ONCE))) {
        reading.add(
            CompletableFuture.supplyAsync(() -> footer(file, context), context.blockingWork()));
      }
      CompletableFuture.allOf(reading.toArray(CompletableFuture[]::new))
          .exceptionally(failure -> null)
          .join();
      for (CompletableFuture<ParquetFooter> footer : reading) {
        try {
          footers.add(footer.join());
        } catch (RuntimeException failure) {
          throw MillraceException.of(failure);
        }
      }
    }
    return footers;
  }

  private ParquetFooter footer(PinnedFile file, ConnectorContext context) {
    try (ByteSource bytes = context.stores().of(file.uri()).open(file.uri())) {
      return services.footers().of(file, bytes);
    } catch (IOException problem) {
      throw new MillraceException(
          ErrorCode.IO_FAILED,
          "The file cannot be opened: '" + file.path() + "': " + problem.getMessage(),
          problem);
    }
  }

  @Override
  public BatchSource openScan(
      ScanSpecification specification, Split split, ConnectorContext context) {
    return FileSetScan.open(
        specification, split, context, (inner, own) -> openRowGroups(inner, own, context));
  }

  private BatchSource openRowGroups(
      ScanSpecification specification, Split split, ConnectorContext context) {
    ParquetTable.RowGroups groups = ParquetTable.RowGroups.of(split);
    PinnedFile file = PinnedFile.of(specification.source()).get(groups.file());
    return new ParquetSource(specification, file, groups.from(), groups.to(), services, context);
  }

  @Override
  public RowTaker openTaker(SourceReference source, ConnectorContext context) {
    throw new MillraceException(
        ErrorCode.UNSUPPORTED_FORMAT, "Single rows of Parquet files are not taken by address.");
  }

  @Override
  public TableSink openSink(SinkSpecification specification, ConnectorContext context) {
    ParquetFormat format =
        new ParquetFormat(
            new SinkOptions(specification).bodySchema(),
            specification.options(),
            context.allocator());
    return new FileSink(specification, context, format.checked(), suffixes());
  }
}
