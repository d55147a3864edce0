package io.millrace.udf.instance;

import io.millrace.core.spi.UdfPool.UdfCounters;
import java.util.concurrent.atomic.LongAdder;

/** What a pool counts. */
public final class UdfStatistics {
  private final LongAdder rows = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder loads = new LongAdder();
  private final LongAdder retries = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder busyNanos = new LongAdder();

  void succeeded(long rowCount, long nanos) {
    rows.add(rowCount);
    batches.increment();
    busyNanos.add(nanos);
  }

  void failed(long nanos) {
    failures.increment();
    busyNanos.add(nanos);
  }

  void retried() {
    retries.increment();
  }

  void loaded() {
    loads.increment();
  }

  public UdfCounters counters() {
    return new UdfCounters(
        rows.sum(), batches.sum(), loads.sum(), retries.sum(), failures.sum(), busyNanos.sum());
  }
}
