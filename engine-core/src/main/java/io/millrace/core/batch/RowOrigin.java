package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Where the rows of a column were read, so that an error about a value can name its file and row.
 * Sources attach it to columns of bytes; slicing, gathering, joining and moving batches keep it,
 * computing a new value does not. Immutable.
 */
public final class RowOrigin {
  /** More rows than this remember their places only when their values are not tiny. */
  private static final int ROWS_FREE = 4096;

  private static final int VALUE_BYTES_LEAST = 64;
  private static final long WHOLE_FILE = -1;
  private static final int NOWHERE = -1;

  private final List<String> sources;
  private final int length;

  /** Per row the position among the sources, NOWHERE when unknown; null when all are the first. */
  private final int[] sourceOf;

  /** Per row its number in its source, or WHOLE_FILE; null when they follow {@code firstRow}. */
  private final long[] rowOf;

  private final long firstRow;

  private RowOrigin(List<String> sources, int length, int[] sourceOf, long[] rowOf, long firstRow) {
    this.sources = sources;
    this.length = length;
    this.sourceOf = sourceOf;
    this.rowOf = rowOf;
    this.firstRow = firstRow;
  }

  /** Rows that follow each other in one file or table, counted from 0. */
  public static RowOrigin consecutive(String source, long firstRow, int length) {
    return new RowOrigin(List.of(source), length, null, null, firstRow);
  }

  /** Rows of one file or table by their numbers, counted from 0. */
  public static RowOrigin rows(String source, long[] rows) {
    return new RowOrigin(List.of(source), rows.length, null, rows.clone(), 0);
  }

  /** Rows that are a whole file each. */
  public static RowOrigin files(List<String> paths) {
    long[] whole = new long[paths.size()];
    Arrays.fill(whole, WHOLE_FILE);
    return new RowOrigin(
        List.copyOf(paths), whole.length, IntStream.range(0, whole.length).toArray(), whole, 0);
  }

  public int length() {
    return length;
  }

  /** The row's file, with the row's number unless the file is the row; empty when unknown. */
  public Optional<String> at(int row) {
    int source = sourceOf == null ? 0 : sourceOf[row];
    if (source == NOWHERE) {
      return Optional.empty();
    }
    long number = number(row);
    String name = sources.get(source);
    return Optional.of(number == WHOLE_FILE ? name : name + " row " + number);
  }

  private long number(int row) {
    return rowOf == null ? firstRow + row : rowOf[row];
  }

  /** Whether it takes no memory for each row, or what it takes is small beside the values. */
  boolean isWorth(long valueBytes) {
    return rowOf == null || length <= ROWS_FREE || valueBytes >= (long) length * VALUE_BYTES_LEAST;
  }

  RowOrigin slice(int from, int count) {
    return new RowOrigin(
        sources,
        count,
        sourceOf == null ? null : Arrays.copyOfRange(sourceOf, from, from + count),
        rowOf == null ? null : Arrays.copyOfRange(rowOf, from, from + count),
        firstRow + from);
  }

  /** The rows by index; −1 is nowhere. */
  RowOrigin gather(int[] rows, int count) {
    int[] gatheredSources = new int[count];
    long[] gatheredRows = new long[count];
    for (int index = 0; index < count; index++) {
      int row = rows[index];
      boolean known = row >= 0;
      gatheredSources[index] = !known ? NOWHERE : sourceOf == null ? 0 : sourceOf[row];
      gatheredRows[index] = known ? number(row) : WHOLE_FILE;
    }
    return new RowOrigin(sources, count, gatheredSources, gatheredRows, 0);
  }

  /** The places of vectors one after the other; null when none of them knows any. */
  static RowOrigin concat(List<FlatVector> parts, int length) {
    if (parts.stream().allMatch(part -> part.origin() == null)) {
      return null;
    }
    Map<String, Integer> places = new LinkedHashMap<>();
    int[] sourceOf = new int[length];
    long[] rowOf = new long[length];
    int position = 0;
    for (FlatVector part : parts) {
      RowOrigin origin = part.origin();
      for (int row = 0; row < part.length(); row++, position++) {
        int source = origin == null ? NOWHERE : origin.sourceOf == null ? 0 : origin.sourceOf[row];
        if (source == NOWHERE) {
          sourceOf[position] = NOWHERE;
          continue;
        }
        sourceOf[position] =
            places.computeIfAbsent(origin.sources.get(source), name -> places.size());
        rowOf[position] = origin.number(row);
      }
    }
    return new RowOrigin(List.copyOf(places.keySet()), length, sourceOf, rowOf, 0);
  }

  /** As bytes, with the sources that rows name only. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      int[] renumbered = new int[sources.size()];
      List<String> used = new ArrayList<>();
      Arrays.fill(renumbered, NOWHERE);
      for (int row = 0; row < length; row++) {
        int source = sourceOf == null ? 0 : sourceOf[row];
        if (source != NOWHERE && renumbered[source] == NOWHERE) {
          renumbered[source] = used.size();
          used.add(sources.get(source));
        }
      }
      output.writeInt(used.size());
      for (String source : used) {
        byte[] text = source.getBytes(StandardCharsets.UTF_8);
        output.writeInt(text.length);
        output.write(text);
      }
      output.writeInt(length);
      for (int row = 0; row < length; row++) {
        int source = sourceOf == null ? 0 : sourceOf[row];
        output.writeInt(source == NOWHERE ? NOWHERE : renumbered[source]);
        output.writeLong(number(row));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws MillraceException INVALID_FILE when the bytes are none of {@link #encode}
   */
  public static RowOrigin decode(byte[] bytes) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int sourceCount = checked(input.readInt(), bytes.length);
      List<String> sources = new ArrayList<>();
      for (int index = 0; index < sourceCount; index++) {
        sources.add(
            new String(
                input.readNBytes(checked(input.readInt(), bytes.length)), StandardCharsets.UTF_8));
      }
      int length = checked(input.readInt(), bytes.length);
      int[] sourceOf = new int[length];
      long[] rowOf = new long[length];
      for (int row = 0; row < length; row++) {
        sourceOf[row] = input.readInt();
        rowOf[row] = input.readLong();
        if (sourceOf[row] < NOWHERE || sourceOf[row] >= sourceCount) {
          throw new IOException("a source that is not there");
        }
      }
      return new RowOrigin(List.copyOf(sources), length, sourceOf, rowOf, 0);
    } catch (IOException damaged) {
      throw new MillraceException(
          ErrorCode.INVALID_FILE, "An encoded batch is damaged: where its rows are from", damaged);
    }
  }

  private static int checked(int count, int limit) throws IOException {
    if (count < 0 || count > limit) {
      throw new IOException("a count that does not fit: " + count);
    }
    return count;
  }
}
