package io.millrace.cluster.cli;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.metrics.QueryProfile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Writes the files of {@code --timings} and {@code --profile}, line by line as they come. */
final class Measurements implements AutoCloseable {
  private final Optional<BufferedWriter> timings;
  private final Optional<BufferedWriter> profiles;

  private Measurements(Optional<BufferedWriter> timings, Optional<BufferedWriter> profiles) {
    this.timings = timings;
    this.profiles = profiles;
  }

  static Measurements open(Optional<String> timings, Optional<String> profiles) {
    return new Measurements(timings.map(Measurements::writer), profiles.map(Measurements::writer));
  }

  private static BufferedWriter writer(String file) {
    try {
      return Files.newBufferedWriter(Path.of(file));
    } catch (IOException failure) {
      throw new MillraceException(ErrorCode.IO_FAILED, "Cannot write the file: " + file, failure);
    }
  }

  void timing(int statement, int run, long planNanos, long execNanos, long rows) {
    timings.ifPresent(
        writer -> print(writer, ProfileLines.timing(statement, run, planNanos, execNanos, rows)));
  }

  void profile(int statement, QueryProfile profile) {
    profiles.ifPresent(writer -> print(writer, ProfileLines.profile(statement, profile)));
  }

  private static void print(BufferedWriter writer, String line) {
    try {
      writer.write(line);
      writer.newLine();
      writer.flush();
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.IO_FAILED, "Cannot write the file of --timings or --profile", failure);
    }
  }

  @Override
  public void close() throws IOException {
    if (timings.isPresent()) {
      timings.get().close();
    }
    if (profiles.isPresent()) {
      profiles.get().close();
    }
  }
}
