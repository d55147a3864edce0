package io.millrace.exec.build;

import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.type.Schema;
import io.millrace.exec.bridge.BatchQueue;
import io.millrace.exec.bridge.LocalExchange;
import io.millrace.exec.operator.sink.ExchangeTarget;
import io.millrace.exec.operator.sink.PartitionSink;
import io.millrace.exec.operator.sink.PartitionTarget;
import io.millrace.exec.operator.sink.RowPlacement;
import io.millrace.exec.operator.sort.SortedMerge;
import io.millrace.exec.operator.source.ExchangeSource;
import io.millrace.exec.pipeline.OperatorFactory;
import io.millrace.exec.pipeline.Pipeline;
import io.millrace.exec.pipeline.TaskContext;
import java.util.ArrayList;
import java.util.List;

/** Ends pipelines in local exchanges and begins new ones there, where that is needed. */
final class LocalExchanges {
  private final TaskContext task;
  private final List<Pipeline> pipelines;
  private final int parallelism;
  private final long queueBytes;

  /**
   * @param pipelines takes the pipelines that end
   */
  LocalExchanges(TaskContext task, List<Pipeline> pipelines, int parallelism, long queueBytes) {
    this.task = task;
    this.pipelines = pipelines;
    this.parallelism = parallelism;
    this.queueBytes = queueBytes;
  }

  /** All rows to one driver; with merge keys, in the order of the sorted inputs. */
  PipelineDraft gather(PipelineDraft input, PhysicalPlan node, List<OrderKey> mergeKeys) {
    if (input.driverCount() == 1) {
      return input;
    }
    if (!mergeKeys.isEmpty()) {
      return merge(input, node, mergeKeys);
    }
    LocalExchange exchange = LocalExchange.open(task, 1, input.driverCount(), 1, queueBytes);
    endIn(exchange.queues(), input, node);
    return fromQueues(exchange.queues(), node, input.schema(), 1);
  }

  private PipelineDraft merge(PipelineDraft input, PhysicalPlan node, List<OrderKey> keys) {
    LocalExchange exchange = LocalExchange.open(task, input.driverCount(), 1, 1, queueBytes);
    List<PartitionTarget> targets = new ArrayList<>();
    exchange.queues().forEach(queue -> targets.add(new ExchangeTarget(List.of(queue))));
    pipelines.add(
        input.end(
            OperatorFactory.of(
                idOf(node),
                PipelineBuilder.nameOf(node),
                driver -> new PartitionSink(RowPlacement.SINGLE, targets.get(driver), 0))));
    return new PipelineDraft(
        OperatorFactory.of(
            idOf(node),
            PipelineBuilder.nameOf(node),
            driver ->
                new SortedMerge(
                    input.schema(),
                    keys,
                    exchange.queues().stream().map(SortedInput::of).toList())),
        input.schema(),
        1);
  }

  /** Rows to whichever driver is free. */
  PipelineDraft spread(PipelineDraft input, PhysicalPlan node) {
    if (input.driverCount() >= parallelism) {
      return input;
    }
    LocalExchange exchange =
        LocalExchange.open(task, 1, input.driverCount(), parallelism, queueBytes);
    endIn(exchange.queues(), input, node);
    return fromQueues(exchange.queues(), node, input.schema(), parallelism);
  }

  /** Rows with equal keys to the same driver. */
  PipelineDraft hash(PipelineDraft input, PhysicalPlan node, List<Integer> keys) {
    if (parallelism == 1 && input.driverCount() == 1) {
      return input;
    }
    LocalExchange exchange =
        LocalExchange.open(task, parallelism, input.driverCount(), 1, queueBytes);
    PartitionTarget target = new ExchangeTarget(exchange.queues());
    Schema schema = input.schema();
    pipelines.add(
        input.end(
            OperatorFactory.of(
                idOf(node),
                PipelineBuilder.nameOf(node),
                driver ->
                    new PartitionSink(
                        RowPlacement.byKeys(schema.select(keys).types(), keys, parallelism),
                        target,
                        driver % parallelism))));
    return new PipelineDraft(
            OperatorFactory.of(
                idOf(node),
                PipelineBuilder.nameOf(node),
                driver -> new ExchangeSource(schema, List.of(exchange.queue(driver)))),
            schema,
            parallelism)
        .hashedBy(keys);
  }

  /**
   * The rows of all inputs; one driver when each input has one. With one thread the inputs come one
   * after the other, so that results are the same each time.
   */
  PipelineDraft union(List<PipelineDraft> inputs, PhysicalPlan.Union union) {
    if (parallelism == 1) {
      LocalExchange ordered = LocalExchange.open(task, inputs.size(), 1, 1, queueBytes);
      for (int index = 0; index < inputs.size(); index++) {
        endIn(List.of(ordered.queue(index)), inputs.get(index), union);
      }
      return fromQueues(ordered.queues(), union, union.outputSchema(), 1);
    }
    int producers = inputs.stream().mapToInt(PipelineDraft::driverCount).sum();
    boolean single = inputs.stream().allMatch(input -> input.driverCount() == 1);
    int consumers = single ? 1 : parallelism;
    LocalExchange exchange = LocalExchange.open(task, 1, producers, consumers, queueBytes);
    inputs.forEach(input -> endIn(exchange.queues(), input, union));
    return fromQueues(exchange.queues(), union, union.outputSchema(), consumers);
  }

  private void endIn(List<BatchQueue> queues, PipelineDraft input, PhysicalPlan node) {
    PartitionTarget target = new ExchangeTarget(queues);
    pipelines.add(
        input.end(
            OperatorFactory.of(
                idOf(node),
                PipelineBuilder.nameOf(node),
                driver -> new PartitionSink(RowPlacement.SINGLE, target, 0))));
  }

  private PipelineDraft fromQueues(
      List<BatchQueue> queues, PhysicalPlan node, Schema schema, int drivers) {
    return new PipelineDraft(
        OperatorFactory.of(
            idOf(node), PipelineBuilder.nameOf(node), driver -> new ExchangeSource(schema, queues)),
        schema,
        drivers);
  }

  /** An exchange that the plan does not have counts for no node. */
  private static int idOf(PhysicalPlan node) {
    return node instanceof PhysicalPlan.Exchange || node instanceof PhysicalPlan.Union
        ? node.id()
        : OperatorFactory.NO_NODE;
  }
}
