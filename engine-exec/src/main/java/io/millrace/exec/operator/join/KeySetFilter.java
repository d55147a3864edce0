package io.millrace.exec.operator.join;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RuntimeFilter;
import java.util.concurrent.atomic.AtomicLong;

/** Lets the rows through whose value may be a key of the build side; see {@link KeySet}. */
final class KeySetFilter implements RuntimeFilter {
  /** Rows after which a filter must have shown its use. */
  private static final long TRIAL_ROWS = 100_000;

  /** The part of the rows that a useful filter drops, at least. */
  private static final double USEFUL_SHARE = 0.15;

  private final int column;
  private final KeySet keys;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong passed = new AtomicLong();

  KeySetFilter(int column, KeySet keys) {
    this.column = column;
    this.keys = keys;
  }

  @Override
  public int column() {
    return column;
  }

  @Override
  public boolean mayMatch(long least, long greatest) {
    return keys.mayContainBetween(least, greatest);
  }

  @Override
  public int select(ColumnVector values, int[] rows, int count, int[] passing) {
    int kept = keys.select(values, rows, count, passing);
    asked.addAndGet(count);
    passed.addAndGet(kept);
    return kept;
  }

  @Override
  public boolean isUseful() {
    long rows = asked.get();
    return rows < TRIAL_ROWS || passed.get() <= (1 - USEFUL_SHARE) * rows;
  }
}
