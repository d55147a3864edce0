package io.millrace.core.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counters of one operator (all its drivers in a process). Safe for use by several threads. */
public final class OperatorMetrics {
  private final int id;
  private final String name;
  private final LongAdder rowsIn = new LongAdder();
  private final LongAdder rowsOut = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder readBytes = new LongAdder();
  private final LongAdder fetchedRows = new LongAdder();
  private final LongAdder fetchedBytes = new LongAdder();
  private final LongAdder spillBytes = new LongAdder();
  private final LongAdder shuffleBytes = new LongAdder();
  private final LongAdder cpuNanos = new LongAdder();
  private final LongAdder wallNanos = new LongAdder();
  private final AtomicLong peakBytes = new AtomicLong();
  private final Map<String, LongAdder> extra = new java.util.concurrent.ConcurrentHashMap<>();

  public OperatorMetrics(int id, String name) {
    this.id = id;
    this.name = name;
  }

  public void addInput(long rows, long bytes) {
    rowsIn.add(rows);
    bytesIn.add(bytes);
  }

  public void addOutput(long rows, long bytes) {
    rowsOut.add(rows);
    bytesOut.add(bytes);
  }

  public void addReadBytes(long bytes) {
    readBytes.add(bytes);
  }

  public void addFetched(long rows, long bytes) {
    fetchedRows.add(rows);
    fetchedBytes.add(bytes);
  }

  public void addSpillBytes(long bytes) {
    spillBytes.add(bytes);
  }

  public void addShuffleBytes(long bytes) {
    shuffleBytes.add(bytes);
  }

  public void addTime(long cpu, long wall) {
    cpuNanos.add(cpu);
    wallNanos.add(wall);
  }

  public void recordHeldBytes(long bytes) {
    peakBytes.accumulateAndGet(bytes, Math::max);
  }

  /** A counter of the operator's own, for example {@code udf_loads}. */
  public void addExtra(String counter, long amount) {
    extra.computeIfAbsent(counter, ignored -> new LongAdder()).add(amount);
  }

  /** What was counted so far. */
  public OperatorProfile snapshot(int stage) {
    Map<String, Long> extras = new TreeMap<>();
    extra.forEach((counter, amount) -> extras.put(counter, amount.sum()));
    return new OperatorProfile(
        id,
        name,
        stage,
        rowsIn.sum(),
        rowsOut.sum(),
        bytesIn.sum(),
        bytesOut.sum(),
        readBytes.sum(),
        fetchedRows.sum(),
        fetchedBytes.sum(),
        spillBytes.sum(),
        shuffleBytes.sum(),
        cpuNanos.sum() / 1_000_000,
        wallNanos.sum() / 1_000_000,
        peakBytes.get(),
        extras);
  }
}
