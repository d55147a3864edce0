package io.millrace.exec.format.output;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The write options that all file formats share.
 *
 * <p>{@code partition_by} (columns, separated by commas: their values make folders {@code
 * name=value} and are left out of the files), {@code write_partition_columns} (keep them in the
 * files too), {@code max_file_bytes} ({@code file_size_bytes}; a part of a folder that grows beyond
 * it is followed by another; default 1 GiB).
 */
public final class SinkOptions {
  private static final String PARTITION_BY = "partition_by";
  private static final String KEEP = "write_partition_columns";
  private static final List<String> FILE_BYTES = List.of("max_file_bytes", "file_size_bytes");
  private static final long DEFAULT_FILE_BYTES = 1L << 30;

  private final Schema schema;
  private final Map<String, String> options;

  public SinkOptions(SinkSpecification specification) {
    this.schema = specification.schema();
    this.options = specification.options();
  }

  /** The options of a format and these. */
  public static Set<String> and(Set<String> own) {
    Set<String> names = new HashSet<>(own);
    names.addAll(FILE_BYTES);
    names.addAll(List.of(PARTITION_BY, KEEP));
    return Set.copyOf(names);
  }

  boolean isPartitioned() {
    return !options.getOrDefault(PARTITION_BY, "").isBlank();
  }

  /**
   * Positions of the columns that make folders, in the order in which they were named.
   *
   * @throws MillraceException UNKNOWN_COLUMN, UNSUPPORTED_TYPE
   */
  List<Integer> partitionColumns() {
    List<Integer> columns = new ArrayList<>();
    if (!isPartitioned()) {
      return columns;
    }
    for (String name : options.get(PARTITION_BY).split(",", -1)) {
      int column = schema.indexOf(unquoted(name.strip()));
      Field field = schema.field(column);
      boolean nested =
          switch (field.type()) {
            case DataType.Bool type -> false;
            case DataType.Int type -> false;
            case DataType.Decimal type -> false;
            case DataType.Text type -> false;
            case DataType.Date type -> false;
            case DataType.Timestamp type -> false;
            case DataType other -> true;
          };
      if (nested) {
        throw new MillraceException(
            ErrorCode.UNSUPPORTED_TYPE,
            "Values of this type make no folders; partition by others: '"
                + field.name()
                + "' of type "
                + field.type());
      }
      columns.add(column);
    }
    return columns;
  }

  private static String unquoted(String name) {
    boolean quoted = name.length() > 1 && name.startsWith("\"") && name.endsWith("\"");
    return quoted ? name.substring(1, name.length() - 1) : name;
  }

  /** Positions of the columns that files hold. */
  List<Integer> bodyColumns() {
    List<Integer> partitions = partitionColumns();
    List<Integer> columns = new ArrayList<>();
    for (int column = 0; column < schema.size(); column++) {
      if (keepsPartitionColumns() || !partitions.contains(column)) {
        columns.add(column);
      }
    }
    if (columns.isEmpty()) {
      throw new MillraceException(
          ErrorCode.INVALID_OPTION_VALUE,
          "Option partition_by names all columns; leave one for the files: "
              + options.get(PARTITION_BY));
    }
    return columns;
  }

  private boolean keepsPartitionColumns() {
    return Boolean.parseBoolean(options.getOrDefault(KEEP, "false"));
  }

  /** The columns that files hold. */
  public Schema bodySchema() {
    return schema.select(bodyColumns());
  }

  long fileBytes() {
    for (String name : FILE_BYTES) {
      String value = options.get(name);
      if (value != null) {
        try {
          long bytes = Long.parseLong(value);
          if (bytes > 0) {
            return bytes;
          }
        } catch (NumberFormatException none) {
          // Refused below.
        }
        throw new MillraceException(
            ErrorCode.INVALID_OPTION_VALUE,
            "Option " + name + " takes a positive number of bytes: '" + value + "'");
      }
    }
    return DEFAULT_FILE_BYTES;
  }
}
