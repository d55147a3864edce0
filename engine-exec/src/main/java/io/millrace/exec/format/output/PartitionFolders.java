package io.millrace.exec.format.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.text.CellText;
import io.millrace.exec.format.file.HivePartitions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds the folder of each row by the values of its partition columns. Not thread-safe. */
final class PartitionFolders {
  /** Folder names that are kept, so that few are made more than once. */
  private static final int KNOWN_LIMIT = 10_000;

  private final List<Integer> columns;
  private final List<String> names;
  private final Map<List<Object>, String> known = new HashMap<>();

  /**
   * @param names of the columns, for the folders
   */
  PartitionFolders(List<Integer> columns, List<String> names) {
    this.columns = columns;
    this.names = names;
  }

  /** Some physical rows, in their order. */
  static final class Rows {
    private int[] rows = new int[16];
    private int count;

    void add(int row) {
      if (count == rows.length) {
        rows = Arrays.copyOf(rows, 2 * count);
      }
      rows[count++] = row;
    }

    int[] rows() {
      return Arrays.copyOf(rows, count);
    }
  }

  /** The rows of a borrowed batch by folder. */
  Map<String, Rows> of(Batch batch) {
    Map<String, Rows> folders = new LinkedHashMap<>();
    for (int row = 0; row < batch.rowCount(); row++) {
      int physical = batch.physicalRow(row);
      folders.computeIfAbsent(folder(batch, physical), name -> new Rows()).add(physical);
    }
    return folders;
  }

  private String folder(Batch batch, int row) {
    List<Object> values = new ArrayList<>(columns.size());
    for (int column : columns) {
      values.add(batch.column(column).valueAt(row));
    }
    String folder = known.get(values);
    if (folder == null) {
      folder = name(batch, row);
      if (known.size() < KNOWN_LIMIT) {
        known.put(values, folder);
      }
    }
    return folder;
  }

  private String name(Batch batch, int row) {
    List<String> parts = new ArrayList<>();
    for (int index = 0; index < columns.size(); index++) {
      ColumnVector column = batch.column(columns.get(index));
      String value = null;
      if (!column.isNull(row)) {
        StringBuilder text = new StringBuilder();
        CellText.appendPlain(text, column, row);
        value = text.toString();
      }
      parts.add(HivePartitions.folder(names.get(index), value));
    }
    return String.join("/", parts);
  }
}
