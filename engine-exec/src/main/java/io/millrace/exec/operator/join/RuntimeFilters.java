package io.millrace.exec.operator.join;

import io.millrace.core.spi.RuntimeFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What scans on the probe side of a join wait for: filters on their columns, made of the build
 * rows. Each promise is kept once, with a filter or with none. Thread-safe after {@link #promise}.
 */
public final class RuntimeFilters {
  private record Promise(
      int key, int scanColumn, CompletableFuture<Optional<RuntimeFilter>> filter) {}

  private final List<Promise> promises = new ArrayList<>();

  /**
   * A filter on a scan's column that holds a key of the join; before the drivers start.
   *
   * @param key position among the join's keys
   * @param scanColumn position among the scan's output columns
   */
  public CompletableFuture<Optional<RuntimeFilter>> promise(int key, int scanColumn) {
    CompletableFuture<Optional<RuntimeFilter>> filter = new CompletableFuture<>();
    promises.add(new Promise(key, scanColumn, filter));
    return filter;
  }

  public boolean isEmpty() {
    return promises.isEmpty();
  }

  /** The table is there: makes the filters. */
  void fulfil(JoinTable table, List<Integer> buildKeys) {
    try {
      for (Promise promise : promises) {
        KeySet keys = KeySet.of(table.rows(), buildKeys.get(promise.key()));
        promise.filter().complete(Optional.of(new KeySetFilter(promise.scanColumn(), keys)));
      }
    } finally {
      withdraw();
    }
  }

  /** The filters will not be needed, or cannot be made: scans go on without them. */
  public void withdraw() {
    promises.forEach(promise -> promise.filter().complete(Optional.empty()));
  }
}
