package io.millrace.exec.format.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.BatchWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes the part files of one task attempt; its fragment is their paths, one a line. With
 * partitions it keeps few files open: the one unused for longest ends when another is needed.
 */
final class FolderWriter implements BatchWriter {
  /** Each open file may hold a row group. */
  private static final int OPEN_LIMIT = 16;

  private static final String WHOLE = "";

  private final Optional<PartitionFolders> partitions;
  private final List<Integer> bodyColumns;
  private final Function<String, PartFiles> files;
  private final StoreCalls calls;
  private final List<String> written;
  private final Map<String, PartFiles> all = new HashMap<>();

  /** Oldest use first. */
  private final Map<String, PartFiles> open = new LinkedHashMap<>(16, 0.75f, true);

  private boolean finished;

  /**
   * @param files makes the part files of a folder, which is empty for the whole
   * @param written what those files report
   */
  FolderWriter(
      Optional<PartitionFolders> partitions,
      List<Integer> bodyColumns,
      Function<String, PartFiles> files,
      StoreCalls calls,
      List<String> written) {
    this.partitions = partitions;
    this.bodyColumns = bodyColumns;
    this.files = files;
    this.calls = calls;
    this.written = written;
  }

  @Override
  public void write(Batch batch) {
    if (partitions.isEmpty()) {
      calls.run(() -> part(WHOLE, batch).write(batch));
      return;
    }
    try (batch) {
      Map<String, PartitionFolders.Rows> folders = partitions.get().of(batch);
      for (Map.Entry<String, PartitionFolders.Rows> folder : folders.entrySet()) {
        int[] rows = folder.getValue().rows();
        calls.run(
            () -> {
              PartFiles part = part(folder.getKey(), null);
              part.write(batch.share().project(bodyColumns).withSelection(rows, rows.length));
            });
      }
    }
  }

  /**
   * @param onFailure closed when there can be no such part; null for nothing
   */
  private PartFiles part(String folder, Batch onFailure) throws IOException {
    try {
      PartFiles part = all.computeIfAbsent(folder, files);
      open.put(folder, part);
      if (open.size() > OPEN_LIMIT) {
        String oldest = open.keySet().iterator().next();
        open.remove(oldest).finish(false);
      }
      return part;
    } catch (IOException | RuntimeException | Error failure) {
      if (onFailure != null) {
        onFailure.close();
      }
      throw failure;
    }
  }

  @Override
  public byte[] finish() {
    calls.run(
        () -> {
          if (partitions.isEmpty()) {
            part(WHOLE, null).finish(true);
          }
          for (PartFiles part : open.values()) {
            part.finish(false);
          }
        });
    finished = true;
    return String.join("\n", written).getBytes(StandardCharsets.UTF_8);
  }

  /** The paths that a fragment names. */
  static List<String> paths(byte[] fragment) {
    String text = new String(fragment, StandardCharsets.UTF_8);
    return text.isEmpty() ? List.of() : new ArrayList<>(List.of(text.split("\n", -1)));
  }

  /** Files that are complete stay for {@link FileSink#abort}: nobody sees them. */
  @Override
  public void close() {
    if (!finished) {
      finished = true;
      calls.run(
          () -> {
            for (PartFiles part : open.values()) {
              part.close();
            }
          });
    }
  }
}
