package io.millrace.exec.operator.source;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.RuntimeFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The runtime filters of one scan, shared by its drivers: a bridge from the joins that make them.
 * The scan starts when every join that was expected has told its filter, or that it has none.
 * Thread-safe.
 */
public final class ScanFilters {
  /** Of a scan that no join narrows. */
  public static final ScanFilters NONE = new ScanFilters(List.of());

  private final List<CompletableFuture<Optional<RuntimeFilter>>> expected;
  private final CompletableFuture<Void> ready;

  /**
   * @param expected completes with each filter, or with none; must complete when the rows of the
   *     scan are not wanted any more
   */
  public ScanFilters(List<CompletableFuture<Optional<RuntimeFilter>>> expected) {
    this.expected = List.copyOf(expected);
    this.ready = CompletableFuture.allOf(expected.toArray(CompletableFuture[]::new));
  }

  /** Completes when all filters are known. */
  public CompletableFuture<Void> ready() {
    return ready;
  }

  /** Whether there is none; legal when ready. */
  public boolean isEmpty() {
    return filters().isEmpty();
  }

  /** Those that are useful; legal when ready. */
  public List<RuntimeFilter> filters() {
    List<RuntimeFilter> filters = new ArrayList<>();
    for (CompletableFuture<Optional<RuntimeFilter>> filter : expected) {
      filter.join().filter(RuntimeFilter::isUseful).ifPresent(filters::add);
    }
    return filters;
  }

  /** The rows that pass all filters; null when none do. Consumes the batch; legal when ready. */
  Batch apply(Batch batch) {
    int[] rows = batch.selection();
    int count = batch.rowCount();
    int[] passing = null;
    for (RuntimeFilter filter : filters()) {
      if (passing == null) {
        passing = new int[count];
      }
      try {
        count = filter.select(batch.column(filter.column()), rows, count, passing);
      } catch (RuntimeException | Error failure) {
        batch.close();
        throw failure;
      }
      rows = passing;
    }
    if (count == 0) {
      batch.close();
      return null;
    }
    return count == batch.rowCount() ? batch : batch.withSelection(passing, count);
  }
}
