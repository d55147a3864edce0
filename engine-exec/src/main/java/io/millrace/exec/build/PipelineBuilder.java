package io.millrace.exec.build;

import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Connector;
import io.millrace.exec.bridge.LocalExchange;
import io.millrace.exec.operator.sink.ExchangeTarget;
import io.millrace.exec.operator.sink.PartitionSink;
import io.millrace.exec.operator.sink.PartitionTarget;
import io.millrace.exec.operator.sink.RowPlacement;
import io.millrace.exec.operator.source.ExchangeSource;
import io.millrace.exec.operator.source.ScanOperator;
import io.millrace.exec.operator.source.SplitQueue;
import io.millrace.exec.operator.source.StageInputOperator;
import io.millrace.exec.operator.source.ValuesOperator;
import io.millrace.exec.operator.transform.FilterOperator;
import io.millrace.exec.operator.transform.LimitOperator;
import io.millrace.exec.operator.transform.ProjectOperator;
import io.millrace.exec.pipeline.OperatorFactory;
import io.millrace.exec.pipeline.Pipeline;
import io.millrace.exec.pipeline.SourceOperator;
import io.millrace.exec.pipeline.TaskContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns the plan of one task into pipelines. A whole query in one process is one task too: its
 * exchanges become local ones, or vanish where one driver or a shared bridge makes them needless.
 * Operators that need equal keys together get an exchange even where the plan's own one vanished.
 */
final class PipelineBuilder {
  private final ExecutionEnvironment environment;
  private final UdfPools udfPools;
  private final TaskRequest request;
  private final TaskContext task;
  private final List<Pipeline> pipelines = new ArrayList<>();
  private final long queueBytes;

  PipelineBuilder(
      ExecutionEnvironment environment, UdfPools udfPools, TaskRequest request, TaskContext task) {
    this.environment = environment;
    this.udfPools = udfPools;
    this.request = request;
    this.task = task;
    this.queueBytes = task.configuration().value(Settings.QUEUE_BYTES);
  }

  /** The pipelines of the request, build sides before probe sides. */
  List<Pipeline> build() {
    PhysicalPlan root = request.root();
    if (root instanceof PhysicalPlan.Exchange exchange && gathersFreely(exchange)) {
      root = exchange.input();
    }
    PipelineDraft draft = draft(root);
    PartitionTarget target =
        new TaskOutputTarget(request.output(), environment.memory().allocator());
    pipelines.add(
        draft.end(
            OperatorFactory.of(
                root.id(),
                nameOf(root),
                driver ->
                    new PartitionSink(
                        placement(draft), target, request.task() % request.partitionCount()))));
    return pipelines;
  }

  /** The output gathers anyway, when its order does not matter. */
  private boolean gathersFreely(PhysicalPlan.Exchange exchange) {
    return exchange.partitioning() instanceof Partitioning.Single single
        && single.mergeKeys().isEmpty()
        && request.partitioning() instanceof Partitioning.Single;
  }

  private RowPlacement placement(PipelineDraft draft) {
    return switch (request.partitioning()) {
      case Partitioning.Single single -> RowPlacement.SINGLE;
      case Partitioning.Broadcast broadcast -> RowPlacement.SINGLE;
      case Partitioning.RoundRobin rotating -> new RowPlacement.Rotating(request.partitionCount());
      case Partitioning.Hash hash -> byKeys(draft, hash.keys(), request.partitionCount());
    };
  }

  private static RowPlacement byKeys(PipelineDraft draft, List<Integer> keys, int count) {
    return RowPlacement.byKeys(draft.schema().select(keys).types(), keys, count);
  }

  /** The node's class name; what plans, metrics and errors show. */
  static String nameOf(PhysicalPlan plan) {
    return plan.getClass().getSimpleName();
  }

  private PipelineDraft draft(PhysicalPlan plan) {
    return switch (plan) {
      case PhysicalPlan.Scan scan -> scan(scan);
      case PhysicalPlan.Values values ->
          new PipelineDraft(
              OperatorFactory.of(
                  plan.id(),
                  nameOf(plan),
                  driver -> new ValuesOperator(values.outputSchema(), values.rows())),
              values.outputSchema(),
              1);
      case PhysicalPlan.StageInput input -> stageInput(input);
      case PhysicalPlan.Filter filter -> filter(filter);
      case PhysicalPlan.Project project -> project(project);
      case PhysicalPlan.Limit limit ->
          draft(limit.input())
              .then(
                  OperatorFactory.of(
                      plan.id(),
                      nameOf(plan),
                      driver ->
                          new LimitOperator(limit.outputSchema(), limit.offset(), limit.limit())),
                  limit.outputSchema());
      case PhysicalPlan.Exchange exchange -> exchange(exchange);
      case PhysicalPlan.Union union -> union(union);
      case PhysicalPlan.HashJoin join -> throw missing(plan);
      case PhysicalPlan.Aggregate aggregate -> throw missing(plan);
      case PhysicalPlan.Sort sort -> throw missing(plan);
      case PhysicalPlan.TopN topN -> throw missing(plan);
      case PhysicalPlan.Udf udf -> throw missing(plan);
      case PhysicalPlan.Fetch fetch -> throw missing(plan);
      case PhysicalPlan.Write write -> throw missing(plan);
    };
  }

  private static MillraceException missing(PhysicalPlan plan) {
    return new MillraceException(
        ErrorCode.INVALID_PLAN, "This node cannot be run yet: " + nameOf(plan));
  }

  private PipelineDraft scan(PhysicalPlan.Scan scan) {
    SplitQueue splits = new SplitQueue(scan.splits());
    Connector connector = environment.connectors().named(scan.specification().source().connector());
    int drivers = Math.clamp(scan.splits().size(), 1, Math.max(1, request.parallelism()));
    return new PipelineDraft(
        OperatorFactory.of(
            scan.id(),
            nameOf(scan),
            driver ->
                new ScanOperator(
                    scan.specification(), splits, connector, environment.connectorContext())),
        scan.outputSchema(),
        drivers);
  }

  private PipelineDraft stageInput(PhysicalPlan.StageInput input) {
    TaskInput sources = request.inputs().get(input.id());
    if (sources == null) {
      throw new MillraceException(
          ErrorCode.INVALID_PLAN, "A task lacks the sources of its input: node " + input.id());
    }
    return new PipelineDraft(
        OperatorFactory.of(input.id(), nameOf(input), driver -> stageSource(input, sources)),
        input.outputSchema(),
        1);
  }

  private SourceOperator stageSource(PhysicalPlan.StageInput input, TaskInput sources) {
    return new StageInputOperator(input.outputSchema(), sources.sources());
  }

  private PipelineDraft filter(PhysicalPlan.Filter filter) {
    return draft(filter.input())
        .then(
            OperatorFactory.of(
                filter.id(),
                nameOf(filter),
                driver ->
                    new FilterOperator(
                        filter.outputSchema(), filter.predicate(), environment.expressions())),
            filter.outputSchema());
  }

  private PipelineDraft project(PhysicalPlan.Project project) {
    PipelineDraft draft = draft(project.input());
    List<Integer> hashed = movedColumns(draft.hashColumns(), project.expressions());
    return draft
        .then(
            OperatorFactory.of(
                project.id(),
                nameOf(project),
                driver ->
                    new ProjectOperator(
                        project.outputSchema(), project.expressions(), environment.expressions())),
            project.outputSchema())
        .hashedBy(hashed);
  }

  /** Where the columns stand after a projection; null when one is gone. */
  private static List<Integer> movedColumns(
      List<Integer> columns, List<PhysicalExpression> expressions) {
    if (columns == null) {
      return null;
    }
    List<Integer> moved = new ArrayList<>();
    for (int column : columns) {
      int position = -1;
      for (int index = 0; index < expressions.size(); index++) {
        if (expressions.get(index) instanceof PhysicalExpression.Input input
            && input.index() == column) {
          position = index;
        }
      }
      if (position < 0) {
        return null;
      }
      moved.add(position);
    }
    return moved;
  }

  private PipelineDraft exchange(PhysicalPlan.Exchange exchange) {
    PipelineDraft input = draft(exchange.input());
    return switch (exchange.partitioning()) {
      case Partitioning.Single single -> gather(input, exchange, single.mergeKeys());
      // In one process one partition is all there are to send to.
      case Partitioning.Broadcast broadcast -> gather(input, exchange, List.of());
      case Partitioning.RoundRobin rotating -> spread(input, exchange);
      case Partitioning.Hash hash -> hashed(input, exchange, hash.keys());
    };
  }

  /** All rows to one driver. */
  private PipelineDraft gather(PipelineDraft input, PhysicalPlan node, List<OrderKey> mergeKeys) {
    if (input.driverCount() == 1) {
      return input;
    }
    if (!mergeKeys.isEmpty()) {
      throw missing(node);
    }
    LocalExchange exchange = LocalExchange.open(task, 1, input.driverCount(), 1, queueBytes);
    end(input, node, exchange, RowPlacement.SINGLE);
    return fromExchange(node, exchange, input, 1);
  }

  /** Rows to whichever driver is free. */
  private PipelineDraft spread(PipelineDraft input, PhysicalPlan node) {
    int drivers = request.parallelism();
    if (input.driverCount() >= drivers) {
      return input;
    }
    LocalExchange exchange = LocalExchange.open(task, 1, input.driverCount(), drivers, queueBytes);
    end(input, node, exchange, RowPlacement.SINGLE);
    return fromExchange(node, exchange, input, drivers);
  }

  /** Rows with equal keys to the same driver. */
  private PipelineDraft hashed(PipelineDraft input, PhysicalPlan node, List<Integer> keys) {
    int drivers = request.parallelism();
    if (drivers == 1 && input.driverCount() == 1) {
      return input;
    }
    LocalExchange exchange = LocalExchange.open(task, drivers, input.driverCount(), 1, queueBytes);
    PartitionTarget target = new ExchangeTarget(exchange.queues());
    pipelines.add(
        input.end(
            OperatorFactory.of(
                node.id(),
                nameOf(node),
                driver -> new PartitionSink(byKeys(input, keys, drivers), target, driver))));
    return new PipelineDraft(
            OperatorFactory.of(
                node.id(),
                nameOf(node),
                driver -> new ExchangeSource(input.schema(), exchange.queue(driver))),
            input.schema(),
            drivers)
        .hashedBy(keys);
  }

  private void end(
      PipelineDraft input, PhysicalPlan node, LocalExchange exchange, RowPlacement placement) {
    PartitionTarget target = new ExchangeTarget(exchange.queues());
    pipelines.add(
        input.end(
            OperatorFactory.of(
                node.id(), nameOf(node), driver -> new PartitionSink(placement, target, 0))));
  }

  private PipelineDraft fromExchange(
      PhysicalPlan node, LocalExchange exchange, PipelineDraft input, int drivers) {
    return new PipelineDraft(
        OperatorFactory.of(
            node.id(),
            nameOf(node),
            driver -> new ExchangeSource(input.schema(), exchange.queue(0))),
        input.schema(),
        drivers);
  }

  private PipelineDraft union(PhysicalPlan.Union union) {
    List<PipelineDraft> inputs = new ArrayList<>();
    union.inputs().forEach(input -> inputs.add(draft(input)));
    int producers = inputs.stream().mapToInt(PipelineDraft::driverCount).sum();
    boolean single = inputs.stream().allMatch(input -> input.driverCount() == 1);
    int consumers = single ? 1 : request.parallelism();
    LocalExchange exchange = LocalExchange.open(task, 1, producers, consumers, queueBytes);
    inputs.forEach(input -> end(input, union, exchange, RowPlacement.SINGLE));
    return new PipelineDraft(
        OperatorFactory.of(
            union.id(),
            nameOf(union),
            driver -> new ExchangeSource(union.outputSchema(), exchange.queue(0))),
        union.outputSchema(),
        consumers);
  }
}
