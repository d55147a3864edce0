package io.millrace.cluster.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where a command's SQL text and its parameters come from. */
final class QueryText {
  private static final String STANDARD_INPUT = "-";

  private QueryText() {}

  /** The text given as argument, or that of the file or of standard input. */
  static String of(List<String> arguments, Optional<String> file, InputStream in) {
    if (arguments.size() > 1) {
      throw new UsageException(
          "One query is expected, in quotes; this is one too many: '" + arguments.get(1) + "'");
    }
    if (!arguments.isEmpty() && file.isPresent()) {
      throw new UsageException("Give a query or -f FILE, not both");
    }
    if (file.isPresent()) {
      return file.get().equals(STANDARD_INPUT) ? read(in) : read(file.get(), "-f");
    }
    if (arguments.isEmpty()) {
      throw new UsageException("Which query? Give it in quotes, or -f FILE, or -f - for a pipe");
    }
    return arguments.getFirst();
  }

  /** Parameters as JSON text; {@code @file} is replaced by what the file holds. */
  static Map<String, String> parameters(Map<String, String> written) {
    Map<String, String> parameters = new LinkedHashMap<>();
    written.forEach(
        (name, text) ->
            parameters.put(
                name, text.startsWith("@") ? read(text.substring(1), "--param " + name) : text));
    return parameters;
  }

  private static String read(String file, String option) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException failure) {
      throw new UsageException("Cannot read the file of " + option + ": " + file, failure);
    }
  }

  private static String read(InputStream in) {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new UsageException("Cannot read the query from standard input", failure);
    }
  }
}
