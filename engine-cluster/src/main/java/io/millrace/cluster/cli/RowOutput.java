package io.millrace.cluster.cli;

import io.millrace.cluster.cli.output.OutputFormat;
import io.millrace.cluster.cli.output.ResultWriter;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/** Where the rows of a command go: standard output, or a file that appears when all are written. */
final class RowOutput implements AutoCloseable {

  /**
   * How rows are printed.
   *
   * @param file empty for standard output
   */
  record Options(OutputFormat format, Optional<String> file) {}

  private final ResultWriter writer;
  private final OutputStream stream;
  private final Optional<Path> target;
  private final Optional<Path> partial;

  private RowOutput(
      ResultWriter writer, OutputStream stream, Optional<Path> target, Optional<Path> partial) {
    this.writer = writer;
    this.stream = stream;
    this.target = target;
    this.partial = partial;
  }

  static RowOutput open(Options options, OutputStream standardOutput, BufferAllocator allocator) {
    if (options.file().isEmpty()) {
      return new RowOutput(
          options.format().writer(standardOutput, allocator),
          standardOutput,
          Optional.empty(),
          Optional.empty());
    }
    Path target = Path.of(options.file().get());
    Path partial = target.resolveSibling(target.getFileName() + ".part");
    try {
      OutputStream stream = new BufferedOutputStream(Files.newOutputStream(partial));
      return new RowOutput(
          options.format().writer(stream, allocator),
          stream,
          Optional.of(target),
          Optional.of(partial));
    } catch (IOException failure) {
      throw notWritable(target, failure);
    }
  }

  private static MillraceException notWritable(Path target, IOException failure) {
    return new MillraceException(
        ErrorCode.IO_FAILED, "Cannot write the file; check --output: " + target, failure);
  }

  ResultWriter writer() {
    return writer;
  }

  /** Makes the rows visible. */
  void complete() throws IOException {
    stream.flush();
    if (target.isPresent()) {
      stream.close();
      try {
        Files.move(partial.get(), target.get(), StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException failure) {
        throw notWritable(target.get(), failure);
      }
    }
  }

  /** Without {@link #complete}, removes what was written to a file. */
  @Override
  public void close() throws IOException {
    if (partial.isPresent()) {
      stream.close();
      Files.deleteIfExists(partial.get());
    }
  }
}
