package io.millrace.lance.jni;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a scan reads.
 *
 * @param columns top-level columns, in the order wanted; may be empty when only rows are counted or
 *     only the row key is wanted
 * @param withRowKey whether the row key column follows the others
 * @param filter a predicate in Lance's SQL; only rows for which it is true come back
 * @param limitRows rows after which the scan ends, applied after the filter
 * @param fragmentIds fragments to read; empty reads none
 * @param batchRows rows per batch, at least 1
 */
public record LanceScanRequest(
    List<String> columns,
    boolean withRowKey,
    Optional<String> filter,
    OptionalLong limitRows,
    List<Integer> fragmentIds,
    int batchRows) {
  public LanceScanRequest {
    columns = List.copyOf(columns);
    fragmentIds = List.copyOf(fragmentIds);
    if (batchRows < 1) {
      // The native scanner answers a batch size of 0 with no rows at all and no error.
      throw new IllegalArgumentException("A batch has at least one row: " + batchRows);
    }
  }
}
