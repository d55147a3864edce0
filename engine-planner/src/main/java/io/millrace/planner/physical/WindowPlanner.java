package io.millrace.planner.physical;

import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.planner.logical.Window;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Plans windows: an exchange by the partition keys, a sort by partition and order keys, and the
 * window over it. A window that stands on another whose sort serves it too needs no sort of its
 * own.
 */
final class WindowPlanner {
  private final NodeIds ids;

  WindowPlanner(NodeIds ids) {
    this.ids = ids;
  }

  Placed plan(Window window, Placed input) {
    Placed placed = placed(window, input);
    return placed.with(
        new PhysicalPlan.Window(
            ids.next(),
            placed.plan(),
            window.partitionKeys(),
            window.orderKeys(),
            window.calls(),
            MillraceTypeFactory.schema(window.getRowType())));
  }

  private Placed placed(Window window, Placed input) {
    List<Integer> partitionKeys = window.partitionKeys();
    boolean together = input.distribution().groups(partitionKeys);
    if (together && isSorted(input.plan(), window)) {
      return input;
    }
    List<OrderKey> sortKeys = new ArrayList<>();
    partitionKeys.forEach(key -> sortKeys.add(new OrderKey(key, false, false)));
    sortKeys.addAll(window.orderKeys());
    if (together) {
      return sorted(input, sortKeys);
    }
    if (partitionKeys.isEmpty()) {
      Placed sorted = sorted(input, sortKeys);
      return new Placed(
          new PhysicalPlan.Exchange(ids.next(), sorted.plan(), new Partitioning.Single(sortKeys)),
          Distribution.SINGLE);
    }
    Placed exchanged =
        new Placed(
            new PhysicalPlan.Exchange(
                ids.next(), input.plan(), new Partitioning.Hash(partitionKeys)),
            new Distribution.Hashed(partitionKeys));
    return sorted(exchanged, sortKeys);
  }

  private Placed sorted(Placed input, List<OrderKey> keys) {
    return keys.isEmpty()
        ? input
        : input.with(new PhysicalPlan.Sort(ids.next(), input.plan(), keys));
  }

  /** Whether the sort below other windows has the partitions together and in this order. */
  private static boolean isSorted(PhysicalPlan plan, Window window) {
    PhysicalPlan below = plan;
    while (below instanceof PhysicalPlan.Window lower) {
      below = lower.input();
    }
    List<OrderKey> keys =
        switch (below) {
          case PhysicalPlan.Sort sort -> sort.keys();
          case PhysicalPlan.Exchange exchange
              when exchange.partitioning() instanceof Partitioning.Single single ->
              single.mergeKeys();
          default -> List.of();
        };
    int partitionCount = window.partitionKeys().size();
    if (keys.size() < partitionCount + window.orderKeys().size()) {
      return false;
    }
    Set<Integer> first = new HashSet<>();
    keys.subList(0, partitionCount).forEach(key -> first.add(key.column()));
    return first.equals(new HashSet<>(window.partitionKeys()))
        && keys.subList(partitionCount, partitionCount + window.orderKeys().size())
            .equals(window.orderKeys());
  }
}
