package io.millrace.exec.format.file;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What {@code key=value} folders tell of files. Keys and values are percent-decoded; the value
 * {@code __HIVE_DEFAULT_PARTITION__} is null.
 */
public final class HivePartitions {
  /** The folder value that stands for null. */
  public static final String NULL_VALUE = "__HIVE_DEFAULT_PARTITION__";

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,19}");
  private static final String HEX = "0123456789ABCDEF";

  /** Characters that stay as they are in the name of a folder. */
  private static final String PLAIN = "-_.~ ,;@()+!$";

  private HivePartitions() {}

  /**
   * The keys of a path and their values, null for null, in the order of its folders.
   *
   * @param path with slashes; its last part, the file's name, does not count
   */
  static Map<String, String> of(String path) {
    Map<String, String> values = new LinkedHashMap<>();
    String[] parts = path.split("/", -1);
    for (int index = 0; index < parts.length - 1; index++) {
      int equals = parts[index].indexOf('=');
      if (equals > 0) {
        String value = decode(parts[index].substring(equals + 1));
        values.put(
            decode(parts[index].substring(0, equals)), value.equals(NULL_VALUE) ? null : value);
      }
    }
    return values;
  }

  /**
   * The columns that the folders of all files make; none when they have other keys, unless they are
   * required.
   *
   * @throws MillraceException SCHEMA_MISMATCH naming two files with other keys
   */
  static List<FileColumn> columns(List<PinnedFile> files, FileSetOptions options) {
    Optional<Boolean> wanted = options.hivePartitioning();
    List<FileColumn> columns = new ArrayList<>();
    if (wanted.equals(Optional.of(false))) {
      return columns;
    }
    List<Map<String, String>> values = files.stream().map(file -> of(file.path())).toList();
    for (int file = 1; file < files.size(); file++) {
      if (!values.get(file).keySet().equals(values.getFirst().keySet())) {
        if (wanted.isEmpty()) {
          return columns;
        }
        throw new MillraceException(
            ErrorCode.SCHEMA_MISMATCH,
            "The folders of two files name other partition keys: '"
                + files.getFirst().path()
                + "' and '"
                + files.get(file).path()
                + "'");
      }
    }
    for (String key : values.getFirst().keySet()) {
      List<String> texts = new ArrayList<>();
      values.forEach(file -> texts.add(file.get(key)));
      columns.add(column(key, texts, options.hiveTypes()));
    }
    return columns;
  }

  private static FileColumn column(String name, List<String> texts, boolean typed) {
    DataType type = typed ? type(texts) : DataType.STRING;
    List<Object> values = new ArrayList<>(texts.size());
    texts.forEach(text -> values.add(text == null ? null : value(text, type)));
    return new FileColumn(name, type, values);
  }

  private static DataType type(List<String> texts) {
    boolean seen = false;
    boolean integers = true;
    boolean dates = true;
    for (String text : texts) {
      if (text != null) {
        seen = true;
        integers = integers && isInteger(text);
        dates = dates && isDate(text);
      }
    }
    if (!seen) {
      return DataType.STRING;
    }
    return integers ? DataType.INT64 : dates ? DataType.DATE : DataType.STRING;
  }

  private static boolean isInteger(String text) {
    try {
      return INTEGER.matcher(text).matches() && Long.toString(Long.parseLong(text)) != null;
    } catch (NumberFormatException tooLarge) {
      return false;
    }
  }

  private static boolean isDate(String text) {
    try {
      return DATE.matcher(text).matches() && LocalDate.parse(text) != null;
    } catch (DateTimeParseException noDay) {
      return false;
    }
  }

  /** The value that a folder's text stands for, for one of the types that columns here have. */
  static Object value(String text, DataType type) {
    if (type.equals(DataType.INT64)) {
      return Long.valueOf(text);
    }
    return type.equals(DataType.DATE) ? LocalDate.parse(text) : text;
  }

  /** Percent signs that start no code stay as they are, and so do codes of what is not UTF-8. */
  static String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer decoded = ByteBuffer.allocate(bytes.length);
    for (int index = 0; index < bytes.length; index++) {
      int high = index + 2 < bytes.length ? Character.digit((char) bytes[index + 1], 16) : -1;
      int low = index + 2 < bytes.length ? Character.digit((char) bytes[index + 2], 16) : -1;
      if (bytes[index] == (byte) '%' && high >= 0 && low >= 0) {
        decoded.put((byte) (high << 4 | low));
        index += 2;
      } else {
        decoded.put(bytes[index]);
      }
    }
    CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
    try {
      return strict.decode(decoded.flip()).toString();
    } catch (CharacterCodingException notText) {
      return text;
    }
  }

  /** The folder name for a value; null for the null partition. */
  public static String folder(String key, String value) {
    return encode(key) + "=" + (value == null ? NULL_VALUE : encode(value));
  }

  /** Percent-encodes all but letters, digits and a few signs that file systems take. */
  static String encode(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte unit : text.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (unit & 0xFF);
      boolean letter = character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z';
      if (letter || character >= '0' && character <= '9' || PLAIN.indexOf(character) >= 0) {
        encoded.append(character);
      } else {
        encoded.append('%').append(HEX.charAt(character >> 4)).append(HEX.charAt(character & 15));
      }
    }
    return encoded.toString();
  }
}
