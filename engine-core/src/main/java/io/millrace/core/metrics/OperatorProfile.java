package io.millrace.core.metrics;

import java.util.Map;
import java.util.TreeMap;

/**
 * What one operator did, over all its tasks.
 *
 * @param id the plan node's id
 * @param readBytes bytes read from storage by scans
 * @param fetchedBytes bytes of heavy values read by Fetch
 * @param peakBytes most memory held by one of its tasks' processes
 * @param extra counters of its own kind, for example {@code udf_loads}
 */
public record OperatorProfile(
    int id,
    String name,
    int stage,
    long rowsIn,
    long rowsOut,
    long bytesIn,
    long bytesOut,
    long readBytes,
    long fetchedRows,
    long fetchedBytes,
    long spillBytes,
    long shuffleBytes,
    long cpuMillis,
    long wallMillis,
    long peakBytes,
    Map<String, Long> extra) {
  public OperatorProfile {
    extra = Map.copyOf(extra);
  }

  /** Both counted together: sums, and the greater peak; id, name and stage of this one. */
  public OperatorProfile plus(OperatorProfile other) {
    Map<String, Long> extras = new TreeMap<>(extra);
    other.extra.forEach((counter, amount) -> extras.merge(counter, amount, Long::sum));
    return new OperatorProfile(
        id,
        name,
        stage,
        rowsIn + other.rowsIn,
        rowsOut + other.rowsOut,
        bytesIn + other.bytesIn,
        bytesOut + other.bytesOut,
        readBytes + other.readBytes,
        fetchedRows + other.fetchedRows,
        fetchedBytes + other.fetchedBytes,
        spillBytes + other.spillBytes,
        shuffleBytes + other.shuffleBytes,
        cpuMillis + other.cpuMillis,
        wallMillis + other.wallMillis,
        Math.max(peakBytes, other.peakBytes),
        extras);
  }
}
