package io.millrace.exec.format.csv;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.exec.format.text.TextOptions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How delimited text is to be read.
 *
 * @param delimiter between fields
 * @param quote around fields that hold delimiters, quotes or line ends; −1 for none
 * @param escape before a quote inside of quotes; the quote itself when it is doubled
 * @param header whether the first record has the columns' names
 * @param nullTexts what stands for null when it is not quoted; the empty text by default
 * @param comment what lines begin with that are passed over; −1 for none
 * @param skippedLines lines before the first record
 */
record CsvDialect(
    byte delimiter,
    int quote,
    int escape,
    boolean header,
    List<byte[]> nullTexts,
    int comment,
    long skippedLines) {
  static final Set<String> OPTIONS =
      Set.of(
          "header",
          "delimiter",
          "delim",
          "sep",
          "quote",
          "escape",
          "null_value",
          "nullstr",
          "null_values",
          "comment",
          "skip",
          "skip_rows",
          "names",
          "column_names",
          "all_varchar",
          "types",
          "dtypes",
          "schema",
          "columns",
          "sample_rows",
          "sample_size");

  private static final String CANDIDATES = "\t;|";

  /** Whether the options leave the delimiter open. */
  static boolean isDelimiterOpen(TextOptions options) {
    return options.text("delimiter", "delim", "sep").isEmpty();
  }

  /**
   * The dialect that the options say. Without a delimiter it is the comma; when the first line has
   * none, the one of tab, semicolon and bar that it has, if it has only one of them.
   *
   * @param head the first bytes of the first file
   */
  static CsvDialect of(Map<String, String> values, byte[] head) {
    TextOptions options = new TextOptions(values);
    byte delimiter =
        options.character("delimiter", "delim", "sep").orElseGet(() -> guessDelimiter(head));
    String quoteText = options.text("quote").orElse("\"");
    int quote = quoteText.isEmpty() ? -1 : options.character("quote").orElse((byte) '"');
    int escape = quote < 0 ? -1 : options.character("escape").map(Byte::intValue).orElse(quote);
    if (delimiter == quote || delimiter == '\r') {
      throw new MillraceException(
          ErrorCode.INVALID_OPTION_VALUE,
          "Delimiter and quote are different characters and no line end: '"
              + (char) delimiter
              + "'");
    }
    return new CsvDialect(
        delimiter,
        quote,
        escape,
        options.flag("header", true),
        nullTexts(options),
        options.character("comment").map(Byte::intValue).orElse(-1),
        options.text("skip", "skip_rows").map(lines -> skipped(lines)).orElse(0L));
  }

  private static long skipped(String lines) {
    try {
      long count = Long.parseLong(lines);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException none) {
      // Refused below.
    }
    throw new MillraceException(
        ErrorCode.INVALID_OPTION_VALUE, "Option skip takes a number of lines: '" + lines + "'");
  }

  private static List<byte[]> nullTexts(TextOptions options) {
    List<String> texts =
        options
            .text("null_values")
            .map(list -> List.of(list.split(",", -1)))
            .orElseGet(() -> List.of(options.text("null_value", "nullstr").orElse("")));
    return texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }

  /** Whether a field without quotes stands for null, whatever its type. */
  boolean isNullText(byte[] bytes, int from, int to) {
    for (byte[] text : nullTexts) {
      if (Arrays.equals(bytes, from, to, text, 0, text.length)) {
        return true;
      }
    }
    return false;
  }

  /** Where a record may start: after comments. */
  int afterComments(byte[] bytes, int from, int to) {
    int at = from;
    while (comment >= 0 && at < to && bytes[at] == comment) {
      int end = at;
      while (end < to && bytes[end] != '\n') {
        end++;
      }
      if (end == to) {
        return at;
      }
      at = end + 1;
    }
    return at;
  }

  /** Whether the bytes at a position begin a comment. */
  boolean isComment(byte[] bytes, int at, int to) {
    return comment >= 0 && at < to && bytes[at] == comment;
  }

  private static byte guessDelimiter(byte[] head) {
    int end = 0;
    while (end < head.length && head[end] != '\n') {
      end++;
    }
    String line = new String(head, 0, end, StandardCharsets.ISO_8859_1);
    if (line.indexOf(',') >= 0) {
      return ',';
    }
    int[] found = CANDIDATES.chars().filter(candidate -> line.indexOf(candidate) >= 0).toArray();
    return found.length == 1 ? (byte) found[0] : (byte) ',';
  }
}
