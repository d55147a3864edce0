package io.millrace.core.metrics;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a query did, per operator in id order.
 *
 * @param peakBytes most memory reserved in one process
 */
public record QueryProfile(List<OperatorProfile> operators, long peakBytes) {
  public QueryProfile {
    operators = List.copyOf(operators);
  }

  public static final QueryProfile EMPTY = new QueryProfile(List.of(), 0);

  /** The profiles of several tasks as one. */
  public static QueryProfile merge(Collection<QueryProfile> profiles) {
    Map<Integer, OperatorProfile> byId = new TreeMap<>();
    long peak = 0;
    for (QueryProfile profile : profiles) {
      profile
          .operators()
          .forEach(operator -> byId.merge(operator.id(), operator, OperatorProfile::plus));
      peak = Math.max(peak, profile.peakBytes());
    }
    return new QueryProfile(List.copyOf(byId.values()), peak);
  }

  /** All operators added up, with id −1 and name {@code totals}. */
  public OperatorProfile totals() {
    OperatorProfile none =
        new OperatorProfile(-1, "totals", -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of());
    return operators.stream().reduce(none, OperatorProfile::plus);
  }
}
