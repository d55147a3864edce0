package io.millrace.exec.format.parquet;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RuntimeFilter;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.format.file.PinnedFile;
import io.millrace.exec.format.parquet.read.ColumnBounds;
import io.millrace.exec.format.parquet.read.ParquetFooter;
import io.millrace.exec.format.parquet.read.ReadPlan;
import io.millrace.exec.format.parquet.read.RowGroupBytes;
import io.millrace.exec.format.parquet.read.RowGroupReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads row groups of one file: bytes are read off the driver's thread, one row group ahead, and
 * decoded on it.
 */
final class ParquetSource implements BatchSource {
  private final ReadPlan plan;
  private final ParquetServices services;
  private final PinnedFile file;
  private final int endGroup;
  private final ConnectorContext context;
  private final long limitRows;
  private int nextGroup;
  private CompletableFuture<RowGroupBytes> loading;
  private RowGroupReader reader;
  private CompiledPredicate filter;
  private List<RuntimeFilter> restrictions = List.of();
  private long givenRows;
  private long readBytes;
  private volatile boolean closed;

  ParquetSource(
      ScanSpecification specification,
      PinnedFile file,
      int firstGroup,
      int endGroup,
      ParquetServices services,
      ConnectorContext context) {
    this.plan = ReadPlan.of(specification);
    this.services = services;
    this.file = file;
    this.nextGroup = firstGroup;
    this.endGroup = endGroup;
    this.context = context;
    this.limitRows = specification.limit().orElse(Long.MAX_VALUE);
  }

  @Override
  public boolean restrict(List<RuntimeFilter> filters) {
    restrictions = List.copyOf(filters);
    return true;
  }

  @Override
  public Step poll() {
    while (true) {
      if (closed || givenRows >= limitRows) {
        return Step.FINISHED;
      }
      if (reader != null) {
        Batch batch = reader.next();
        if (batch != null) {
          givenRows += batch.rowCount();
          return new Step.Output(batch);
        }
        reader.close();
        reader = null;
      }
      if (loading == null && !startLoading()) {
        return Step.FINISHED;
      }
      if (!loading.isDone()) {
        return new Step.Blocked(loading.thenAccept(ignored -> {}), Step.BlockReason.IO);
      }
      openGroup();
    }
  }

  private boolean startLoading() {
    if (nextGroup >= endGroup) {
      return false;
    }
    int group = nextGroup++;
    loading = CompletableFuture.supplyAsync(() -> load(group), context.blockingWork());
    return true;
  }

  private void openGroup() {
    RowGroupBytes bytes = loaded();
    if (bytes == null) {
      return;
    }
    readBytes += bytes.byteCount();
    // Large row groups are held one at a time.
    if (bytes.byteCount() <= context.configuration().value(Settings.QUEUE_BYTES)) {
      startLoading();
    }
    if (filter == null && plan.filter().isPresent()) {
      filter = services.expressions().compilePredicate(plan.filter().get(), context.allocator());
    }
    reader =
        new RowGroupReader(
            plan,
            filter,
            restrictions,
            bytes,
            services.buffers(),
            file.path(),
            context.configuration().value(Settings.BATCH_ROWS),
            context.configuration().value(Settings.BATCH_BYTES),
            context.allocator());
  }

  private RowGroupBytes loaded() {
    CompletableFuture<RowGroupBytes> done = loading;
    loading = null;
    try {
      return done.join();
    } catch (RuntimeException problem) {
      throw MillraceException.of(problem);
    }
  }

  /** Whether a row may pass the restrictions, as far as the row group's bounds tell. */
  private boolean mayMatch(ParquetFooter footer, int group) {
    for (RuntimeFilter restriction : restrictions) {
      Field column = plan.columns().get(plan.outputs().get(restriction.column()));
      ColumnBounds bounds = footer.bounds(group, column);
      if (bounds != null && bounds.isAllNull()) {
        return false;
      }
      boolean counts =
          switch (column.type()) {
            case DataType.Int integer -> integer.signed() || integer.bits() < 64;
            case DataType.Date date -> true;
            case DataType.Time time -> true;
            case DataType.Timestamp timestamp -> true;
            default -> false;
          };
      if (counts
          && bounds != null
          && bounds.lower() instanceof BigDecimal least
          && bounds.upper() instanceof BigDecimal greatest
          && !restriction.mayMatch(least.longValue(), greatest.longValue())) {
        return false;
      }
    }
    return true;
  }

  /** Null for a row group without a row of use. */
  private RowGroupBytes load(int group) {
    if (closed) {
      throw new MillraceException(ErrorCode.CANCELLED, "The query was cancelled.");
    }
    try (ByteSource bytes = context.stores().of(file.uri()).open(file.uri())) {
      file.requireSame(bytes);
      ParquetFooter footer = services.footers().of(file, bytes);
      return mayMatch(footer, group)
          ? RowGroupBytes.read(footer, group, plan, bytes, file.path(), services.buffers())
          : null;
    } catch (IOException problem) {
      throw new MillraceException(
          ErrorCode.IO_FAILED,
          "The file cannot be read: '" + file.path() + "': " + problem.getMessage(),
          problem);
    }
  }

  @Override
  public long readBytes() {
    return readBytes;
  }

  @Override
  public long heldBytes() {
    long held = reader == null ? 0 : reader.heldBytes();
    if (loading != null && loading.isDone() && !loading.isCompletedExceptionally()) {
      RowGroupBytes ahead = loading.join();
      held += ahead == null ? 0 : ahead.heldBytes();
    }
    return held;
  }

  @Override
  public void close() {
    closed = true;
    if (loading != null) {
      loading.thenAccept(
          bytes -> {
            if (bytes != null) {
              bytes.close();
            }
          });
      loading = null;
    }
    if (reader != null) {
      reader.close();
      reader = null;
    }
    if (filter != null) {
      filter.close();
      filter = null;
    }
  }
}
