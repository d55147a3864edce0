package io.millrace.exec.format.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.ObjectStore;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes rows into one file after the other, each up to a size. Not thread-safe; calls block. */
final class PartFiles implements AutoCloseable {
  private final ObjectStore store;
  private final FileFormat format;
  private final String folder;
  private final String name;
  private final long fileBytes;
  private final List<String> written;
  private int files;
  private Counter stream;
  private FileFormat.RowOutput output;
  private String current;

  /**
   * @param folder that files are created below
   * @param name of files in it, without suffix
   * @param fileBytes size after which another file follows
   * @param written takes the names of files that are complete
   */
  PartFiles(
      ObjectStore store,
      FileFormat format,
      String folder,
      String name,
      long fileBytes,
      List<String> written) {
    this.store = store;
    this.format = format;
    this.folder = folder;
    this.name = name;
    this.fileBytes = fileBytes;
    this.written = written;
  }

  /** Owns the batch, also on error. */
  void write(Batch batch) throws IOException {
    try {
      open();
    } catch (IOException | RuntimeException | Error failure) {
      batch.close();
      throw failure;
    }
    output.write(batch);
    if (stream.count >= fileBytes) {
      finish();
    }
  }

  private void open() throws IOException {
    if (output == null) {
      current = name + (files++ == 0 ? "" : "." + files) + format.suffix();
      stream = new Counter(store.create(folder + "/" + current));
      output = format.open(stream);
    }
  }

  /** Ends the file; makes an empty one when there was none at all and {@code always}. */
  void finish(boolean always) throws IOException {
    if (always && files == 0) {
      open();
    }
    if (output != null) {
      finish();
    }
  }

  private void finish() throws IOException {
    output.finish();
    stream.close();
    written.add(current);
    output = null;
    stream = null;
  }

  /** Removes a file that is not complete. */
  @Override
  public void close() throws IOException {
    if (stream != null) {
      output = null;
      try {
        stream.close();
      } finally {
        stream = null;
        store.delete(folder + "/" + current);
      }
    }
  }

  /** Counts the bytes that pass. */
  private static final class Counter extends FilterOutputStream {
    private long count;

    Counter(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      count++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length);
      count += length;
    }
  }
}
