package io.millrace.exec.format.text;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableStatistics;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.file.PinnedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Text files read as one table, pinned. Large uncompressed files are read in parts. */
public final class TextTable implements Table {
  /** Below this a part is not worth a task of its own. */
  public static final long LEAST_SPLIT_BYTES = 8L << 20;

  /** Parts a driver should have to take, so that no one waits long for the last. */
  private static final int PARTS_PER_DRIVER = 4;

  private final SourceReference source;
  private final Schema schema;
  private final List<Part> files;
  private final RecordBoundaries boundaries;
  private final long leastSplitBytes;
  private final ConnectorContext context;

  /**
   * A file of the table.
   *
   * @param firstRecord offset of the first record, after marks and headers
   * @param columns as in {@link TextSplit}
   * @param form as in {@link TextSplit}
   * @param whole whether records can only be found from the file's start
   */
  public record Part(
      PinnedFile file, long firstRecord, List<Integer> columns, String form, boolean whole) {

    /** A file of the table's own columns, which may be read in parts. */
    public Part(PinnedFile file, long firstRecord) {
      this(file, firstRecord, List.of(), "", false);
    }
  }

  public TextTable(
      SourceReference source,
      Schema schema,
      List<Part> files,
      RecordBoundaries boundaries,
      long leastSplitBytes,
      ConnectorContext context) {
    this.source = source;
    this.schema = schema;
    this.files = List.copyOf(files);
    this.boundaries = boundaries;
    this.leastSplitBytes = leastSplitBytes;
    this.context = context;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public SourceReference source() {
    return source;
  }

  @Override
  public TableStatistics statistics() {
    return new TableStatistics(OptionalLong.empty(), OptionalLong.of(totalBytes()), Map.of());
  }

  private long totalBytes() {
    return files.stream().mapToLong(part -> part.file().sizeBytes()).sum();
  }

  @Override
  public List<PhysicalExpression> acceptedFilters(List<PhysicalExpression> conjuncts) {
    return List.of();
  }

  @Override
  public List<Split> splits(ScanSpecification specification, int wantedParallelism) {
    long parts = Math.max(1L, wantedParallelism) * PARTS_PER_DRIVER;
    long splitBytes = Math.max(leastSplitBytes, totalBytes() / parts);
    List<Split> splits = new ArrayList<>();
    for (int index = 0; index < files.size(); index++) {
      Part part = files.get(index);
      long size = part.file().sizeBytes();
      boolean whole =
          part.whole()
              || TextCompression.of(part.file().uri()) != TextCompression.NONE
              || size < 2 * splitBytes;
      long[] starts = whole ? new long[0] : starts(part, splitBytes);
      long from = part.firstRecord();
      for (long start : starts) {
        if (start > from) {
          splits.add(split(index, from, start, start - from));
          from = start;
        }
      }
      if (whole || from < size) {
        splits.add(split(index, from, Long.MAX_VALUE, Math.max(0, size - from)));
      }
    }
    return splits;
  }

  private Split split(int file, long from, long to, long bytes) {
    String payload =
        new TextSplit(file, from, to, files.get(file).columns(), files.get(file).form()).payload();
    return new Split(payload, bytes, -1, List.of());
  }

  private long[] starts(Part part, long splitBytes) {
    PinnedFile file = part.file();
    long[] wanted = new long[(int) (file.sizeBytes() / splitBytes) - 1];
    for (int index = 0; index < wanted.length; index++) {
      wanted[index] = (index + 1) * splitBytes;
    }
    try (ByteSource bytes = context.stores().of(file.uri()).open(file.uri())) {
      return boundaries.recordStarts(bytes, part.firstRecord(), wanted);
    } catch (IOException problem) {
      throw new MillraceException(
          ErrorCode.IO_FAILED,
          "The file cannot be read: '" + file.path() + "': " + problem.getMessage(),
          problem);
    }
  }

  @Override
  public void close() {}
}
