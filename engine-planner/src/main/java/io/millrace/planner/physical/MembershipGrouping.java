package io.millrace.planner.physical;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rex.RexNode;

/**
 * Finds memberships among the arguments of AND and OR: {@code x = 1 OR x = 2 OR x = 3} becomes
 * {@code x IN (1, 2, 3)}, and the same with {@code <>} under AND becomes NOT IN.
 */
final class MembershipGrouping {
  /** Fewer comparisons than this are quicker as they are. */
  private static final int LEAST_CANDIDATES = 3;

  private MembershipGrouping() {}

  static List<PhysicalExpression> group(
      List<RexNode> arguments, boolean conjunction, ExpressionPlanner planner) {
    List<PhysicalExpression> planned = arguments.stream().map(planner::plan).toList();
    if (planned.size() < LEAST_CANDIDATES) {
      return planned;
    }
    String comparison = conjunction ? "ne" : "eq";
    Map<PhysicalExpression, List<Object>> candidates = new LinkedHashMap<>();
    for (PhysicalExpression argument : planned) {
      if (isMember(argument, comparison)) {
        PhysicalExpression.Call call = (PhysicalExpression.Call) argument;
        candidates
            .computeIfAbsent(call.arguments().getFirst(), ignored -> new ArrayList<>())
            .add(((PhysicalExpression.Constant) call.arguments().getLast()).value());
      }
    }
    candidates.values().removeIf(values -> values.size() < LEAST_CANDIDATES);
    List<PhysicalExpression> result = new ArrayList<>();
    Set<PhysicalExpression> done = new java.util.HashSet<>();
    for (PhysicalExpression argument : planned) {
      PhysicalExpression value =
          isMember(argument, comparison)
              ? ((PhysicalExpression.Call) argument).arguments().getFirst()
              : null;
      if (value == null || !candidates.containsKey(value)) {
        result.add(argument);
      } else if (done.add(value)) {
        result.add(
            new PhysicalExpression.InSet(
                value, candidates.get(value).stream().distinct().toList(), false, conjunction));
      }
    }
    return result;
  }

  /** A comparison of an expression with a constant that can be hashed. */
  private static boolean isMember(PhysicalExpression argument, String comparison) {
    return argument instanceof PhysicalExpression.Call call
        && call.function().equals(comparison)
        && call.arguments().getLast() instanceof PhysicalExpression.Constant constant
        && constant.value() != null
        && isHashable(constant.type())
        && !(call.arguments().getFirst() instanceof PhysicalExpression.Constant);
  }

  private static boolean isHashable(DataType type) {
    return type instanceof DataType.Int
        || type instanceof DataType.Text
        || type instanceof DataType.Decimal
        || type instanceof DataType.Date
        || type instanceof DataType.Timestamp;
  }
}
