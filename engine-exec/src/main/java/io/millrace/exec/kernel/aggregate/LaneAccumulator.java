package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.AggregateKernel.Accumulator;
import io.millrace.core.spi.RowSet;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.List;

/**
 * An accumulator that reads its arguments in blocks and never sees a null: rows with a null
 * argument or state are dropped before.
 */
abstract class LaneAccumulator implements Accumulator {
  private final ValidityMask mask = new ValidityMask();
  private int[] keptRows = new int[0];
  private int[] keptGroups = new int[0];
  private int groupCount;

  @Override
  public void resize(int newGroupCount) {
    groupCount = Math.max(groupCount, newGroupCount);
    grow(groupCount);
  }

  /** Makes room for groups 0 to groupCount − 1. */
  abstract void grow(int newGroupCount);

  /** Groups so far. */
  final int groupCount() {
    return groupCount;
  }

  /** The lanes that read the arguments. */
  abstract List<Lane> inputs();

  /** The lanes that read the state columns. */
  abstract List<Lane> stateInputs();

  /** Adds elements 0 to count − 1 of the inputs; their groups start at {@code from}. */
  abstract void accumulate(int[] groups, int from, int count);

  /** Adds elements 0 to count − 1 of the state inputs; their groups start at {@code from}. */
  abstract void combine(int[] groups, int from, int count);

  @Override
  public final void add(int[] groups, List<ColumnVector> arguments, RowSet rows) {
    RowSet kept = withoutNulls(groups, arguments, rows);
    int[] groupsOfKept = mask.isAllValid() ? groups : keptGroups;
    begin(arguments, kept);
    List<Lane> lanes = inputs();
    bind(lanes, arguments);
    for (int from = 0; from < kept.count(); from += Lane.BLOCK_ROWS) {
      int count = Math.min(Lane.BLOCK_ROWS, kept.count() - from);
      load(lanes, kept, from, count);
      accumulate(groupsOfKept, from, count);
    }
    end();
  }

  @Override
  public final void merge(int[] groups, List<ColumnVector> states, RowSet rows) {
    RowSet kept = withoutNulls(groups, states, rows);
    int[] groupsOfKept = mask.isAllValid() ? groups : keptGroups;
    begin(states, kept);
    List<Lane> lanes = stateInputs();
    bind(lanes, states);
    for (int from = 0; from < kept.count(); from += Lane.BLOCK_ROWS) {
      int count = Math.min(Lane.BLOCK_ROWS, kept.count() - from);
      load(lanes, kept, from, count);
      combine(groupsOfKept, from, count);
    }
    end();
  }

  /** Called before the blocks of one batch. */
  void begin(List<ColumnVector> columns, RowSet rows) {}

  /** Called after the blocks of one batch. */
  void end() {}

  private static void bind(List<Lane> lanes, List<ColumnVector> columns) {
    for (int index = 0; index < lanes.size(); index++) {
      lanes.get(index).bind(columns.get(index));
    }
  }

  private static void load(List<Lane> lanes, RowSet rows, int from, int count) {
    for (Lane lane : lanes) {
      lane.load(rows, from, count);
    }
  }

  private RowSet withoutNulls(int[] groups, List<ColumnVector> columns, RowSet rows) {
    mask.reset(rows.length(), columns);
    if (mask.isAllValid()) {
      return rows;
    }
    if (keptRows.length < rows.count()) {
      keptRows = new int[rows.count()];
      keptGroups = new int[rows.count()];
    }
    int kept = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      keptRows[kept] = row;
      keptGroups[kept] = groups[position];
      kept += mask.isValid(row) ? 1 : 0;
    }
    return RowSet.of(rows.length(), keptRows, kept);
  }
}
