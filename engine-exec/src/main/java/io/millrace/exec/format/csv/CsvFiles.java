package io.millrace.exec.format.csv;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.file.FileSetOptions;
import io.millrace.exec.format.text.TextFile;
import io.millrace.exec.format.text.TextOptions;
import io.millrace.exec.format.text.TextTable;
import io.millrace.exec.format.text.TypeGuess;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Looks into the files of a table: their headers, and samples from which types are inferred. */
final class CsvFiles {
  /** Rows from which types are inferred, unless the option says another number. */
  private static final long SAMPLE_ROWS = 20_480;

  /** Every file gives some rows to the sample, up to this many files. */
  private static final int SAMPLED_FILES = 64;

  private static final long LEAST_SAMPLE_ROWS = 1024;
  private static final int HEAD_BYTES = 256 << 10;
  private static final int HEAD_LIMIT_BYTES = 256 << 20;

  private final List<TextFile> files;
  private final TextOptions options;
  private final CsvDialect dialect;
  private final boolean unionByName;

  CsvFiles(List<TextFile> files, Map<String, String> values, CsvDialect dialect) {
    this.unionByName = new FileSetOptions(values).unionByName();
    this.files = files;
    this.options = new TextOptions(values);
    this.dialect = dialect;
  }

  /** The first record of a file, and where the one after it starts. */
  private record Head(List<String> fields, int firstRecord) {}

  /** Columns of the table and its files. */
  record Layout(Schema schema, List<TextTable.Part> parts) {}

  Layout layout() {
    Map<String, DataType> schema = options.types("schema", "columns");
    List<String> names = new ArrayList<>(schema.keySet());
    options.text("names", "column_names").ifPresent(list -> names.addAll(List.of(list.split(","))));
    boolean named = !names.isEmpty();
    List<Head> heads = new ArrayList<>();
    for (TextFile file : files) {
      Head head = head(file);
      heads.add(head);
      if (head.fields().isEmpty()) {
        continue;
      }
      if (names.isEmpty()) {
        names.addAll(dialect.header() ? uniqueNames(head.fields()) : positions(head.fields()));
      } else if (unionByName && dialect.header() && !named) {
        uniqueNames(head.fields()).stream().filter(own -> !names.contains(own)).forEach(names::add);
      }
    }
    if (names.isEmpty()) {
      throw new MillraceException(
          ErrorCode.INVALID_FILE,
          "The file is empty, without a header: '" + files.getFirst().path() + "'");
    }
    List<TextTable.Part> parts = new ArrayList<>();
    for (int index = 0; index < files.size(); index++) {
      parts.add(part(files.get(index), heads.get(index), names, named && schema.isEmpty()));
    }
    return new Layout(new Schema(typed(names, schema, parts)), parts);
  }

  private static TextTable.Part part(
      TextFile file, Head head, List<Integer> columns, int fieldCount) {
    return new TextTable.Part(
        file.pinned(), head.firstRecord(), columns, String.valueOf(fieldCount), false);
  }

  /**
   * @param renamed whether the names are given anew, by position
   */
  private TextTable.Part part(TextFile file, Head head, List<String> names, boolean renamed) {
    if (!dialect.header() || renamed || head.fields().isEmpty()) {
      return part(file, head, List.of(), names.size());
    }
    List<String> own = uniqueNames(head.fields());
    if (own.equals(names)) {
      return part(file, head, List.of(), names.size());
    }
    List<Integer> columns = names.stream().map(own::indexOf).toList();
    if (!unionByName && (columns.contains(-1) || own.size() != names.size())) {
      throw new MillraceException(
          ErrorCode.SCHEMA_MISMATCH,
          "A file's header has other columns than the table; set option union_by_name to take all: "
              + own
              + " in '"
              + file.path()
              + "', expected "
              + names);
    }
    return part(file, head, columns, own.size());
  }

  private List<Field> typed(
      List<String> names, Map<String, DataType> schema, List<TextTable.Part> parts) {
    Map<String, DataType> given = schema.isEmpty() ? options.types("types", "dtypes") : schema;
    for (String name : given.keySet()) {
      new Schema(names.stream().map(known -> Field.nullable(known, DataType.STRING)).toList())
          .indexOf(name);
    }
    List<TypeGuess> guesses = names.stream().map(name -> new TypeGuess()).toList();
    if (!given.keySet().containsAll(names) && !options.flag("all_varchar", false)) {
      long rows = options.count(SAMPLE_ROWS, "sample_rows", "sample_size");
      int sampled = Math.min(files.size(), SAMPLED_FILES);
      for (int index = 0; index < sampled; index++) {
        long own = Math.max(Math.min(rows, LEAST_SAMPLE_ROWS), rows / sampled);
        sample(files.get(index), parts.get(index), guesses, own);
      }
    }
    return IntStream.range(0, names.size())
        .mapToObj(index -> field(names.get(index), given, guesses.get(index)))
        .toList();
  }

  private static Field field(String name, Map<String, DataType> given, TypeGuess guess) {
    for (Map.Entry<String, DataType> entry : given.entrySet()) {
      if (entry.getKey().equals(name)) {
        return Field.nullable(name, entry.getValue());
      }
    }
    for (Map.Entry<String, DataType> entry : given.entrySet()) {
      if (entry.getKey().equalsIgnoreCase(name)) {
        return Field.nullable(name, entry.getValue());
      }
    }
    return Field.nullable(name, guess.type());
  }

  private void sample(TextFile file, TextTable.Part part, List<TypeGuess> guesses, long rows) {
    CsvScanner scanner = new CsvScanner(dialect);
    long bytes = rows == Long.MAX_VALUE ? HEAD_LIMIT_BYTES : Math.min(HEAD_LIMIT_BYTES, rows * 512);
    byte[] head = file.head((int) Math.max(HEAD_BYTES, bytes));
    int at = (int) part.firstRecord();
    int fields = Integer.parseInt(part.form());
    for (long row = 0; row < rows && at < head.length; row++) {
      at = dialect.afterComments(head, at, head.length);
      if (dialect.isComment(head, at, head.length)) {
        return;
      }
      scanner.clear();
      int next = scanner.record(head, at, head.length, false);
      if (next == CsvScanner.INCOMPLETE) {
        next = scanner.record(head, at, head.length, head.length < bytes);
      }
      // What is no record is met again, with its line, by the scan.
      if (next == CsvScanner.INCOMPLETE
          || scanner.fault() != null
          || scanner.fieldCount() > fields) {
        return;
      }
      for (int field = 0; field < scanner.fieldCount(); field++) {
        int column = part.columns().isEmpty() ? field : part.columns().indexOf(field);
        if (column >= 0) {
          see(scanner, field, head, guesses.get(column));
        }
      }
      at = next;
    }
  }

  private void see(CsvScanner scanner, int field, byte[] head, TypeGuess guess) {
    int from = scanner.start(field);
    int to = scanner.end(field);
    if (from == to) {
      return;
    }
    if (scanner.kind(field) == CsvScanner.ESCAPED) {
      byte[] text = scanner.unescaped(head, field);
      guess.see(text, 0, text.length);
    } else if (scanner.kind(field) == CsvScanner.QUOTED || !dialect.isNullText(head, from, to)) {
      guess.see(head, from, to);
    }
  }

  private Head head(TextFile file) {
    for (int bytes = HEAD_BYTES; ; bytes *= 4) {
      byte[] head = file.head(bytes);
      CsvScanner scanner = new CsvScanner(dialect);
      boolean whole = head.length < bytes;
      int start = firstRecord(head);
      if (start >= head.length && whole) {
        return new Head(List.of(), head.length);
      }
      int end = scanner.record(head, start, head.length, whole);
      if (end == CsvScanner.INCOMPLETE && bytes < HEAD_LIMIT_BYTES) {
        continue;
      }
      if (end == CsvScanner.INCOMPLETE || scanner.fault() != null) {
        throw new MillraceException(
            ErrorCode.INVALID_FILE,
            "The first record cannot be read: "
                + (scanner.fault() == null ? "it is too long." : scanner.fault())
                + " Line "
                + (1 + dialect.skippedLines())
                + " of '"
                + file.path()
                + "'");
      }
      List<String> fields = new ArrayList<>();
      for (int field = 0; field < scanner.fieldCount(); field++) {
        byte[] text =
            scanner.kind(field) == CsvScanner.ESCAPED
                ? scanner.unescaped(head, field)
                : java.util.Arrays.copyOfRange(head, scanner.start(field), scanner.end(field));
        fields.add(new String(text, StandardCharsets.UTF_8));
      }
      return new Head(fields, dialect.header() ? end : start);
    }
  }

  /** After the byte order mark, lines to skip and comments. */
  private int firstRecord(byte[] head) {
    int at = TextFile.markLength(head);
    for (long line = 0; line < dialect.skippedLines() && at < head.length; line++) {
      while (at < head.length && head[at] != '\n') {
        at++;
      }
      at = Math.min(head.length, at + 1);
    }
    return dialect.afterComments(head, at, head.length);
  }

  private static List<String> positions(List<String> fields) {
    return IntStream.range(0, fields.size()).mapToObj(index -> "column" + index).toList();
  }

  /** An empty name becomes its position, a repeated one gets a number. */
  private static List<String> uniqueNames(List<String> fields) {
    List<String> names = new ArrayList<>();
    for (int index = 0; index < fields.size(); index++) {
      String base = fields.get(index).isEmpty() ? "column" + index : fields.get(index);
      String name = base;
      for (int number = 1; names.contains(name); number++) {
        name = base + "_" + number;
      }
      names.add(name);
    }
    return names;
  }
}
