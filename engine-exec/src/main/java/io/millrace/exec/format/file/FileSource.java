package io.millrace.exec.format.file;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.config.Settings;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The files of one split. A listing alone is made on the spot; contents are read one batch ahead,
 * off the calling thread.
 */
final class FileSource implements BatchSource {
  private final ScanSpecification specification;
  private final FileTable.Range range;
  private final ConnectorContext context;
  private final boolean readsContents;
  private List<PinnedFile> files;
  private int next;
  private CompletableFuture<Batch> reading;
  private final AtomicLong readBytes = new AtomicLong();
  private volatile boolean closed;

  FileSource(ScanSpecification specification, FileTable.Range range, ConnectorContext context) {
    this.specification = specification;
    this.range = range;
    this.context = context;
    this.readsContents = specification.columns().stream().anyMatch(FileSource::isContent);
  }

  private static boolean isContent(ScanColumn column) {
    return column.sourceColumn().equals(FileConnector.CONTENT)
        && !(column.output().type() instanceof DataType.Reference);
  }

  @Override
  public Step poll() {
    if (files == null) {
      files = PinnedFile.of(specification.source());
      next = range.from();
    }
    if (reading != null) {
      if (!reading.isDone()) {
        return blocked();
      }
      CompletableFuture<Batch> done = reading;
      reading = null;
      return new Step.Output(finished(done));
    }
    int end = batchEnd();
    if (next == end) {
      return Step.FINISHED;
    }
    int from = next;
    next = end;
    if (!readsContents) {
      return new Step.Output(batch(from, end));
    }
    reading = CompletableFuture.supplyAsync(() -> batch(from, end), context.blockingWork());
    return blocked();
  }

  private static Batch finished(CompletableFuture<Batch> reading) {
    try {
      return reading.join();
    } catch (CompletionException e) {
      throw MillraceException.of(e);
    }
  }

  private Step blocked() {
    return new Step.Blocked(reading.thenAccept(batch -> {}), Step.BlockReason.IO);
  }

  /** Where the next batch ends: by rows, and by bytes when contents are read. */
  private int batchEnd() {
    long limit = specification.limit().orElse(Long.MAX_VALUE);
    int last = (int) Math.min(range.to(), range.from() + Math.min(limit, Integer.MAX_VALUE / 2));
    int rows = context.configuration().value(Settings.BATCH_ROWS);
    long bytes = context.configuration().value(Settings.BATCH_BYTES);
    int end = next;
    long held = 0;
    while (end < last && end - next < rows) {
      held += readsContents ? files.get(end).sizeBytes() : 0;
      if (held > bytes && end > next) {
        break;
      }
      end++;
    }
    return end;
  }

  private Batch batch(int from, int to) {
    FileContents contents = new FileContents(context.stores());
    List<VectorBuilder> builders = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (ScanColumn column : specification.columns()) {
        builders.add(new VectorBuilder(column.output().type(), context.allocator()));
      }
      for (int ordinal = from; ordinal < to && !closed; ordinal++) {
        for (int i = 0; i < builders.size(); i++) {
          append(builders.get(i), specification.columns().get(i), ordinal, contents);
        }
      }
      for (int i = 0; i < builders.size(); i++) {
        ColumnVector column = builders.get(i).finish();
        columns.add(
            isContent(specification.columns().get(i))
                ? column.withOrigin(PinnedFile.origin(files.subList(from, from + column.length())))
                : column);
      }
      List<ColumnVector> owned = List.copyOf(columns);
      columns.clear();
      int rowCount = owned.isEmpty() ? to - from : owned.getFirst().length();
      return new Batch(specification.outputSchema(), owned, rowCount);
    } finally {
      builders.forEach(VectorBuilder::close);
      columns.forEach(ColumnVector::close);
    }
  }

  private void append(
      VectorBuilder builder, ScanColumn column, int ordinal, FileContents contents) {
    PinnedFile file = files.get(ordinal);
    switch (column.sourceColumn()) {
      case FileConnector.PATH -> builder.appendText(file.path());
      case FileConnector.SIZE -> builder.appendLong(file.sizeBytes());
      case FileConnector.MODIFIED -> builder.appendLong(file.modifiedMillis());
      case FileConnector.CONTENT -> {
        if (isContent(column)) {
          builder.appendBytes(contents.read(file));
          readBytes.addAndGet(file.sizeBytes());
        } else {
          builder.appendLong(ordinal);
        }
      }
      default ->
          throw new IllegalStateException("A listing has no such column: " + column.sourceColumn());
    }
  }

  @Override
  public long readBytes() {
    return readBytes.get();
  }

  /** Waits for the file that is being read, so that no memory is taken after this. */
  @Override
  public void close() {
    closed = true;
    if (reading != null) {
      CompletableFuture<Batch> running = reading;
      reading = null;
      running.handle((batch, failure) -> batch).thenAccept(FileSource::discard).join();
    }
  }

  private static void discard(Batch batch) {
    if (batch != null) {
      batch.close();
    }
  }
}
