package io.millrace.cluster.job;

import io.millrace.cluster.protocol.StageSetup;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.StageDefinition;
import io.millrace.cluster.schedule.TaskDefinition;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.plan.PlanCodec;
import io.millrace.core.plan.StageGraph;
import io.millrace.core.spi.Split;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * One stage made ready for a cluster of a certain size: how many tasks it has, which splits each of
 * them reads, what it occupies, and its plan as bytes.
 */
final class StageAssignment {
  private final StageGraph.Stage stage;
  private final int taskCount;
  private final int partitionCount;
  private final List<Map<Integer, List<Split>>> taskSplits;
  private final StageSetup setup;

  private StageAssignment(
      StageGraph.Stage stage,
      int taskCount,
      int partitionCount,
      List<Map<Integer, List<Split>>> taskSplits,
      StageSetup setup) {
    this.stage = stage;
    this.taskCount = taskCount;
    this.partitionCount = partitionCount;
    this.taskSplits = taskSplits;
    this.setup = setup;
  }

  /**
   * Assigns the stages of a query.
   *
   * @param slotCount tasks that the cluster runs side by side, at least 1
   */
  static List<StageAssignment> all(StageGraph graph, int slotCount) {
    Map<Integer, StageGraph.Stage> byId = new HashMap<>();
    graph.stages().forEach(stage -> byId.put(stage.id(), stage));
    return graph.stages().stream().map(stage -> assign(stage, byId, slotCount)).toList();
  }

  private static StageAssignment assign(
      StageGraph.Stage stage, Map<Integer, StageGraph.Stage> byId, int slotCount) {
    Map<Integer, List<Split>> splits = ScanSplits.of(stage.root());
    boolean partitioned =
        stage.inputs().stream().anyMatch(input -> isPartitioned(byId.get(input).output()));
    int taskCount = taskCount(stage, splits, partitioned, slotCount);
    return new StageAssignment(
        stage,
        taskCount,
        isPartitioned(stage.output()) ? slotCount : 1,
        distribute(splits, taskCount),
        setup(stage, byId, isPartitioned(stage.output()) ? slotCount : 1));
  }

  private static int taskCount(
      StageGraph.Stage stage,
      Map<Integer, List<Split>> splits,
      boolean partitioned,
      int slotCount) {
    if (stage.singleTask()) {
      return 1;
    }
    if (partitioned) {
      return slotCount;
    }
    int mostSplits = splits.values().stream().mapToInt(List::size).max().orElse(0);
    return Math.clamp(mostSplits, 1, slotCount);
  }

  private static boolean isPartitioned(Partitioning partitioning) {
    return switch (partitioning) {
      case Partitioning.Hash any -> true;
      case Partitioning.RoundRobin any -> true;
      case Partitioning.Single any -> false;
      case Partitioning.Broadcast any -> false;
    };
  }

  /** Largest splits first, each to the task that has the fewest bytes so far. */
  private static List<Map<Integer, List<Split>>> distribute(
      Map<Integer, List<Split>> splits, int taskCount) {
    List<Map<Integer, List<Split>>> tasks = new ArrayList<>();
    for (int task = 0; task < taskCount; task++) {
      tasks.add(new HashMap<>());
    }
    record Load(int task, long bytes, int count) {}
    PriorityQueue<Load> loads =
        new PriorityQueue<>(
            Comparator.comparingLong(Load::bytes)
                .thenComparingInt(Load::count)
                .thenComparingInt(Load::task));
    for (int task = 0; task < taskCount; task++) {
      loads.add(new Load(task, 0, 0));
    }
    splits.forEach(
        (scan, parts) -> {
          List<Split> largestFirst = new ArrayList<>(parts);
          largestFirst.sort(Comparator.comparingLong(Split::bytes).reversed());
          for (Split split : largestFirst) {
            Load least = loads.remove();
            tasks.get(least.task()).computeIfAbsent(scan, id -> new ArrayList<>()).add(split);
            loads.add(
                new Load(
                    least.task(), least.bytes() + Math.max(0, split.bytes()), least.count() + 1));
          }
        });
    return tasks;
  }

  private static StageSetup setup(
      StageGraph.Stage stage, Map<Integer, StageGraph.Stage> byId, int partitionCount) {
    PhysicalPlan withoutSplits = ScanSplits.replace(stage.root(), Map.of());
    byte[] fragment =
        PlanCodec.encode(new PhysicalPlan.Exchange(-1, withoutSplits, stage.output()));
    List<byte[]> inputs = new ArrayList<>();
    PlanLeaves.visit(
        stage.root(),
        node -> {
          if (node instanceof PhysicalPlan.StageInput input) {
            Partitioning order = byId.get(input.stageId()).output();
            inputs.add(PlanCodec.encode(new PhysicalPlan.Exchange(-1, input, order)));
          }
        });
    return new StageSetup(fragment, partitionCount, inputs);
  }

  int stage() {
    return stage.id();
  }

  StageSetup setup() {
    return setup;
  }

  Map<Integer, List<Split>> splits(int task) {
    return taskSplits.get(task);
  }

  /** The partition of an output with some partitions that a task reads. */
  static int partitionFor(int task, int partitionCount) {
    return partitionCount == 1 ? 0 : task;
  }

  /** The stage as the scheduler sees it. */
  StageDefinition definition() {
    List<TaskDefinition> tasks = new ArrayList<>();
    for (int task = 0; task < taskCount; task++) {
      Set<String> hosts = new HashSet<>();
      taskSplits
          .get(task)
          .values()
          .forEach(splits -> splits.forEach(split -> hosts.addAll(split.hosts())));
      tasks.add(new TaskDefinition(task, hosts));
    }
    return new StageDefinition(stage.id(), stage.inputs(), tasks, resources());
  }

  /** One processor for the task's thread, and the accelerators and memory its functions ask for. */
  private ResourceVector resources() {
    List<ResourceVector> needs = new ArrayList<>();
    needs.add(ResourceVector.of(1, 0, 0));
    PlanLeaves.visit(
        stage.root(),
        node -> {
          if (node instanceof PhysicalPlan.Udf udf) {
            needs.add(
                ResourceVector.of(
                    0, udf.function().options().gpus(), udf.function().options().memoryBytes()));
          }
        });
    return needs.stream().reduce(ResourceVector.NONE, ResourceVector::max);
  }

  int partitionCount() {
    return partitionCount;
  }
}
