package io.millrace.exec.format.json;

import com.fasterxml.jackson.core.JsonParser;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.text.TextFile;
import io.millrace.exec.format.text.TextOptions;
import io.millrace.exec.format.text.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Infers the columns of JSON lines from samples of their files. */
final class JsonFiles {
  /** Enough for the first object of most files. */
  private static final int FORM_BYTES = 64 << 10;

  private static final long SAMPLE_ROWS = 20_480;

  /** Every file gives some rows to the sample, up to this many files. */
  private static final int SAMPLED_FILES = 64;

  private static final long LEAST_SAMPLE_ROWS = 1024;
  private static final int HEAD_BYTES = 1 << 20;
  private static final int HEAD_LIMIT_BYTES = 256 << 20;

  /** Enough for the sample of most files. */
  private static final long ROW_BYTES = 1024;

  private final List<TextFile> files;
  private final TextOptions options;

  JsonFiles(List<TextFile> files, Map<String, String> values) {
    this.files = files;
    this.options = new TextOptions(values);
  }

  List<TextTable.Part> parts() {
    List<TextTable.Part> parts = new ArrayList<>();
    for (TextFile file : files) {
      JsonForm form = form(file);
      boolean whole = form != JsonForm.LINES;
      parts.add(
          new TextTable.Part(file.pinned(), file.markLength(), List.of(), form.name(), whole));
    }
    return parts;
  }

  /** How a file's objects are told apart; the option says it, or the file's first bytes do. */
  private JsonForm form(TextFile file) {
    return options
        .text("format")
        .filter(name -> !name.equalsIgnoreCase("auto"))
        .map(JsonForm::named)
        .orElseGet(() -> JsonForm.of(file.head(FORM_BYTES), file.markLength()));
  }

  Schema schema() {
    Map<String, DataType> all = options.types("schema", "columns");
    if (!all.isEmpty()) {
      List<Field> fields = new ArrayList<>();
      all.forEach((name, type) -> fields.add(Field.nullable(name, type)));
      return new Schema(fields);
    }
    JsonGuess guess = new JsonGuess();
    long rows = options.count(SAMPLE_ROWS, "sample_rows", "sample_size");
    int sampled = Math.min(files.size(), SAMPLED_FILES);
    for (TextFile file : files.subList(0, sampled)) {
      sample(file, guess, Math.max(Math.min(rows, LEAST_SAMPLE_ROWS), rows / sampled));
    }
    Map<String, DataType> given = options.types("types", "dtypes");
    List<Field> fields = new ArrayList<>();
    for (Field field : guess.fields()) {
      fields.add(field.withType(given.getOrDefault(field.name(), field.type())));
    }
    // A named column that no row of the sample has is null in them.
    given.forEach(
        (name, type) -> {
          if (fields.stream().noneMatch(field -> field.name().equals(name))) {
            fields.add(Field.nullable(name, type));
          }
        });
    if (fields.isEmpty()) {
      throw new MillraceException(
          ErrorCode.INVALID_FILE,
          "The file has no JSON object from which columns could be inferred; name them in option"
              + " schema: '"
              + files.getFirst().path()
              + "'");
    }
    return new Schema(fields);
  }

  private void sample(TextFile file, JsonGuess guess, long rows) {
    long wanted = rows > HEAD_LIMIT_BYTES / ROW_BYTES ? HEAD_LIMIT_BYTES : rows * ROW_BYTES;
    byte[] head = file.head((int) Math.max(HEAD_BYTES, wanted));
    boolean whole = head.length < Math.max(HEAD_BYTES, wanted);
    JsonRecords records = form(file).records();
    int mark = file.markLength();
    records.accept(Arrays.copyOfRange(head, mark, head.length), head.length - mark, whole);
    long row = 0;
    try {
      while (row < rows && records.next()) {
        if (!see(records, row, file, guess)) {
          return;
        }
        row++;
      }
    } catch (IOException problem) {
      if (row == 0) {
        throw notJson(file, problem);
      }
      // The scan meets it again and names its line.
    }
  }

  /** False for what is no object: the scan meets it again and names its line. */
  private static boolean see(JsonRecords records, long row, TextFile file, JsonGuess guess) {
    try (JsonParser parser = JsonLines.parser(records.bytes(), records.start(), records.end())) {
      guess.seeMembers(parser);
      return true;
    } catch (IOException problem) {
      if (row > 0) {
        return false;
      }
      throw notJson(file, problem);
    }
  }

  private static MillraceException notJson(TextFile file, IOException problem) {
    return new MillraceException(
        ErrorCode.INVALID_FILE,
        "The file's first record is no JSON object: '" + file.path() + "'",
        problem);
  }
}
