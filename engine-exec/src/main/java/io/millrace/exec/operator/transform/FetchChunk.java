package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.batch.Layouts;
import io.millrace.core.plan.FetchColumn;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.key.ColumnRows;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Some input rows of a Fetch and the takes of their values. Reference columns whose addresses are
 * equal row by row share one take.
 */
final class FetchChunk implements AutoCloseable {
  private final List<FetchColumn> columns;
  private final OperatorContext context;
  private final List<Batch> pieces = new ArrayList<>();
  private final List<Group> groups = new ArrayList<>();
  private int rowCount;
  private int outputPiece;
  private int outputRow;

  /** Rows of the pieces before the current one. */
  private int rowsBefore;

  private CompletableFuture<Void> ready;

  /** Columns that are taken together. */
  private static final class Group {
    private final List<FetchColumn> columns = new ArrayList<>();
    private final long[] addresses;
    private final boolean[] nulls;

    /** Per row its place in the taken batch, −1 for null. */
    private int[] places;

    private int distinctCount;
    private CompletableFuture<RowTaker.Taken> take;
    private Batch taken;

    Group(long[] addresses, boolean[] nulls) {
      this.addresses = addresses;
      this.nulls = nulls;
    }
  }

  FetchChunk(List<FetchColumn> columns, OperatorContext context) {
    this.columns = columns;
    this.context = context;
  }

  int rowCount() {
    return rowCount;
  }

  /** Adds rows; takes ownership. */
  void add(Batch rows) {
    Batch compact = rows.compact(context.allocator());
    rowCount += compact.rowCount();
    pieces.add(compact);
  }

  /** Starts the takes of all rows added. */
  void start(RowTaker taker) {
    for (FetchColumn column : columns) {
      long[] addresses = new long[rowCount];
      boolean[] nulls = new boolean[rowCount];
      readAddresses(column, addresses, nulls);
      groupOf(addresses, nulls).columns.add(column);
    }
    List<CompletableFuture<?>> takes = new ArrayList<>();
    for (Group group : groups) {
      long[] distinct = distinct(group);
      if (distinct.length > 0) {
        List<String> names = group.columns.stream().map(FetchColumn::sourceColumn).toList();
        group.take = context.track(taker.take(distinct, names.stream().distinct().toList()));
        takes.add(group.take);
      }
    }
    ready =
        CompletableFuture.allOf(takes.toArray(CompletableFuture[]::new))
            .handle((nothing, failure) -> null);
  }

  private void readAddresses(FetchColumn column, long[] addresses, boolean[] nulls) {
    int row = 0;
    for (Batch piece : pieces) {
      ColumnRows rows =
          ColumnRows.of(piece.column(column.inputIndex()), null, piece.rowCount(), new int[0]);
      for (int index = 0; index < piece.rowCount(); index++) {
        int position = rows.positions()[index];
        if (position < 0) {
          nulls[row++] = true;
        } else {
          addresses[row++] = rows.values().values().get(Layouts.INT64, 8L * position);
        }
      }
    }
  }

  private Group groupOf(long[] addresses, boolean[] nulls) {
    for (Group group : groups) {
      if (Arrays.equals(group.addresses, addresses) && Arrays.equals(group.nulls, nulls)) {
        return group;
      }
    }
    Group group = new Group(addresses, nulls);
    groups.add(group);
    return group;
  }

  /** The addresses ascending without duplicates; sets each row's place among them. */
  private long[] distinct(Group group) {
    long[] sorted = new long[rowCount];
    int count = 0;
    for (int row = 0; row < rowCount; row++) {
      if (!group.nulls[row]) {
        sorted[count++] = group.addresses[row];
      }
    }
    Arrays.sort(sorted, 0, count);
    int distinct = 0;
    for (int index = 0; index < count; index++) {
      if (distinct == 0 || sorted[index] != sorted[distinct - 1]) {
        sorted[distinct++] = sorted[index];
      }
    }
    group.places = new int[rowCount];
    for (int row = 0; row < rowCount; row++) {
      group.places[row] =
          group.nulls[row] ? -1 : Arrays.binarySearch(sorted, 0, distinct, group.addresses[row]);
    }
    group.distinctCount = distinct;
    return Arrays.copyOf(sorted, distinct);
  }

  /** Completes when all takes are done, well or not. */
  CompletableFuture<Void> ready() {
    return ready;
  }

  /** Reads the takes' results; gives the bytes of the values. Throws what a take failed with. */
  long receive() {
    long bytes = 0;
    for (Group group : groups) {
      if (group.take == null || group.taken != null) {
        continue;
      }
      RowTaker.Taken taken = group.take.join();
      group.taken = taken.batch();
      context.metrics().addFetched(group.distinctCount, taken.readBytes());
      bytes += group.taken.retainedBytes();
    }
    return bytes;
  }

  /** The next rows with their values, at most so many; null at the end. */
  Batch next(int limit, Schema schema) {
    while (outputPiece < pieces.size() && outputRow >= pieces.get(outputPiece).rowCount()) {
      rowsBefore += pieces.get(outputPiece).rowCount();
      pieces.get(outputPiece).close();
      outputPiece++;
      outputRow = 0;
    }
    if (outputPiece >= pieces.size()) {
      return null;
    }
    Batch piece = pieces.get(outputPiece);
    int count = Math.min(limit, piece.rowCount() - outputRow);
    Batch rows = piece.slice(outputRow, count);
    List<ColumnVector> output = new ArrayList<>(rows.columnCount());
    try {
      for (int index = 0; index < rows.columnCount(); index++) {
        output.add(outputColumn(rows, index, rowsBefore + outputRow, count));
      }
    } catch (RuntimeException | Error failure) {
      output.forEach(ColumnVector::close);
      rows.close();
      throw failure;
    }
    outputRow += count;
    return rows.withColumns(schema, output);
  }

  private ColumnVector outputColumn(Batch rows, int index, int from, int count) {
    for (Group group : groups) {
      for (FetchColumn column : group.columns) {
        if (column.inputIndex() == index) {
          return values(group, column, from, count);
        }
      }
    }
    return rows.column(index).retain();
  }

  private ColumnVector values(Group group, FetchColumn column, int from, int count) {
    if (group.taken == null) {
      return ConstantVector.ofNull(column.output().type(), count, context.allocator());
    }
    ColumnVector values = group.taken.column(group.taken.schema().indexOf(column.sourceColumn()));
    int first = group.places[from];
    boolean ascending = first >= 0;
    for (int index = 1; index < count && ascending; index++) {
      ascending = group.places[from + index] == first + index;
    }
    if (ascending) {
      return values.slice(first, count);
    }
    int[] places = Arrays.copyOfRange(group.places, from, from + count);
    return Gather.rows(values, places, count, context.allocator());
  }

  @Override
  public void close() {
    for (int index = outputPiece; index < pieces.size(); index++) {
      pieces.get(index).close();
    }
    pieces.clear();
    for (Group group : groups) {
      if (group.taken != null) {
        group.taken.close();
      } else if (group.take != null) {
        context.track(
            group.take.whenComplete(
                (taken, failure) -> {
                  if (taken != null) {
                    taken.batch().close();
                  }
                }));
      }
    }
    groups.clear();
  }
}
