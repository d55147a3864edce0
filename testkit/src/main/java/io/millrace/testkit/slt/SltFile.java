package io.millrace.testkit.slt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads SLT files. Records are separated by empty lines; {@code #} starts a comment line.
 *
 * <pre>
 * statement ok
 * CREATE VIEW v AS SELECT …
 *
 * statement error UNKNOWN_COLUMN
 * SELECT nope FROM v
 *
 * query [ordered] [differs NAME]
 * SELECT …
 * oracle
 * SELECT … in DuckDB's spelling, if it has another
 * ----
 * rows, tab-separated, if DuckDB is not to be asked
 * </pre>
 */
public final class SltFile {
  private final Path path;
  private final List<String> lines;
  private final List<SltRecord> records = new ArrayList<>();
  private int next;

  private SltFile(Path path, List<String> lines) {
    this.path = path;
    this.lines = lines;
  }

  /**
   * The records of a file.
   *
   * @throws IllegalArgumentException naming file and line when it has another form
   */
  public static List<SltRecord> read(Path path) throws IOException {
    SltFile file = new SltFile(path, Files.readAllLines(path));
    file.parse();
    return file.records;
  }

  private void parse() {
    while (next < lines.size()) {
      String line = lines.get(next);
      if (line.isBlank() || line.startsWith("#")) {
        next++;
      } else if (line.startsWith("statement ")) {
        statement(line.split("\\s+"));
      } else if (line.equals("query") || line.startsWith("query ")) {
        query(List.of(line.split("\\s+")));
      } else {
        throw fault("a record starts with 'statement' or 'query'");
      }
    }
  }

  private IllegalArgumentException fault(String message) {
    return new IllegalArgumentException(path + ":" + (next + 1) + ": " + message);
  }

  private void statement(String[] words) {
    int line = next + 1;
    next++;
    String sql = block();
    if (words.length == 2 && words[1].equals("ok")) {
      records.add(new SltRecord.Statement(line, sql));
    } else if (words.length == 3 && words[1].equals("error")) {
      records.add(new SltRecord.Failure(line, sql, words[2]));
    } else {
      throw fault("'statement ok' or 'statement error CODE'");
    }
  }

  private void query(List<String> words) {
    int line = next + 1;
    next++;
    String sql = block();
    Optional<String> oracle = Optional.empty();
    if (next < lines.size() && lines.get(next).equals("oracle")) {
      next++;
      oracle = Optional.of(block());
    }
    Optional<List<String>> expected = Optional.empty();
    if (next < lines.size() && lines.get(next).equals("----")) {
      next++;
      List<String> rows = new ArrayList<>();
      while (next < lines.size() && !lines.get(next).isEmpty()) {
        rows.add(lines.get(next++));
      }
      expected = Optional.of(rows);
    }
    int differs = words.indexOf("differs");
    Optional<String> difference =
        differs < 0 ? Optional.empty() : Optional.of(words.get(differs + 1));
    if (difference.isPresent() && expected.isEmpty()) {
      throw fault("a query that differs from the oracle gives its rows");
    }
    records.add(
        new SltRecord.Query(line, sql, words.contains("ordered"), oracle, expected, difference));
  }

  /** Lines up to an empty one or a separator. */
  private String block() {
    List<String> block = new ArrayList<>();
    while (next < lines.size()) {
      String line = lines.get(next);
      if (line.isBlank() || line.equals("----") || line.equals("oracle")) {
        break;
      }
      block.add(line);
      next++;
    }
    if (block.isEmpty()) {
      throw fault("SQL is missing");
    }
    return String.join("\n", block);
  }
}
