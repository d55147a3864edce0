package io.millrace.exec.format.file;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/** Contents by ordinal in the listing. */
final class FileTaker implements RowTaker {
  private final List<PinnedFile> files;
  private final ConnectorContext context;
  private volatile boolean closed;

  FileTaker(List<PinnedFile> files, ConnectorContext context) {
    this.files = files;
    this.context = context;
  }

  @Override
  public CompletableFuture<Taken> take(long[] addresses, List<String> columns) {
    return CompletableFuture.supplyAsync(
        () -> read(addresses.clone(), columns), context.blockingWork());
  }

  private Taken read(long[] addresses, List<String> columns) {
    if (!columns.equals(List.of(FileConnector.CONTENT))) {
      throw new MillraceException(
          ErrorCode.INVALID_PLAN, "Only contents are taken from a listing: " + columns);
    }
    FileContents contents = new FileContents(context.stores());
    Field field = FileConnector.SCHEMA.field(FileConnector.SCHEMA.indexOf(FileConnector.CONTENT));
    long readBytes = 0;
    try (VectorBuilder builder = new VectorBuilder(field.type(), context.allocator())) {
      for (long address : addresses) {
        if (closed) {
          throw new MillraceException(ErrorCode.CANCELLED, "The query was cancelled.");
        }
        if (address < 0 || address >= files.size()) {
          throw new MillraceException(
              ErrorCode.SOURCE_CHANGED, "The listing has no such file: " + address);
        }
        byte[] bytes = contents.read(files.get((int) address));
        builder.appendBytes(bytes);
        readBytes += bytes.length;
      }
      List<PinnedFile> taken =
          LongStream.of(addresses).mapToObj(address -> files.get((int) address)).toList();
      ColumnVector column = builder.finish().withOrigin(PinnedFile.origin(taken));
      return new Taken(
          new Batch(new Schema(List.of(field)), List.of(column), addresses.length), readBytes);
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
