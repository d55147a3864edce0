package io.millrace.exec.build;

import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.plan.AggregateStep;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RuntimeFilter;
import io.millrace.exec.bridge.JoinBridge;
import io.millrace.exec.operator.aggregate.AggregateOperator;
import io.millrace.exec.operator.join.BuildSide;
import io.millrace.exec.operator.join.HashJoinBuildSink;
import io.millrace.exec.operator.join.HashJoinOperator;
import io.millrace.exec.operator.join.JoinSpill;
import io.millrace.exec.operator.join.RuntimeFilters;
import io.millrace.exec.operator.recursion.RecursionOperator;
import io.millrace.exec.operator.sink.PartitionSink;
import io.millrace.exec.operator.sink.PartitionTarget;
import io.millrace.exec.operator.sink.RowPlacement;
import io.millrace.exec.operator.sink.WriteOperator;
import io.millrace.exec.operator.sort.SortOperator;
import io.millrace.exec.operator.sort.SortedMerge;
import io.millrace.exec.operator.sort.TopNOperator;
import io.millrace.exec.operator.source.ScanFilters;
import io.millrace.exec.operator.source.ScanOperator;
import io.millrace.exec.operator.source.SplitQueue;
import io.millrace.exec.operator.source.StageInputOperator;
import io.millrace.exec.operator.source.ValuesOperator;
import io.millrace.exec.operator.transform.ExpandOperator;
import io.millrace.exec.operator.transform.FetchOperator;
import io.millrace.exec.operator.transform.FilterOperator;
import io.millrace.exec.operator.transform.LimitOperator;
import io.millrace.exec.operator.transform.ProjectOperator;
import io.millrace.exec.operator.transform.SampleOperator;
import io.millrace.exec.operator.transform.SharedRowTaker;
import io.millrace.exec.operator.transform.SharedUdfPool;
import io.millrace.exec.operator.transform.UdfOperator;
import io.millrace.exec.operator.transform.UnnestOperator;
import io.millrace.exec.operator.window.WindowEvaluators;
import io.millrace.exec.operator.window.WindowOperator;
import io.millrace.exec.pipeline.OperatorFactory;
import io.millrace.exec.pipeline.Pipeline;
import io.millrace.exec.pipeline.SourceOperator;
import io.millrace.exec.pipeline.TaskContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Turns the plan of one task into pipelines. A whole query in one process is one task too: its
 * exchanges become local ones, or vanish where one driver or a shared bridge makes them needless.
 * Operators that need equal keys together get an exchange even where the plan's own one vanished.
 */
final class PipelineBuilder {
  /** The part of the memory budget that one exchange may fill. */
  private static final int QUEUE_SHARE = 16;

  private final ExecutionEnvironment environment;
  private final UdfPools udfPools;
  private final TaskExecutor executor;
  private final TaskRequest request;
  private final TaskContext task;
  private final List<Pipeline> pipelines = new ArrayList<>();
  private final LocalExchanges exchanges;

  /** Filters that joins promised to scans, by the scan's id. */
  private final Map<Integer, List<CompletableFuture<Optional<RuntimeFilter>>>> promised =
      new HashMap<>();

  /**
   * @param executor runs the steps of recursive queries
   */
  PipelineBuilder(
      ExecutionEnvironment environment,
      UdfPools udfPools,
      TaskExecutor executor,
      TaskRequest request,
      TaskContext task) {
    this.environment = environment;
    this.executor = executor;
    this.udfPools = udfPools;
    this.request = request;
    this.task = task;
    this.exchanges = new LocalExchanges(task, pipelines, request.parallelism(), queueBytes(task));
  }

  /** A small process has small queues: what waits in them serves nobody else. */
  private static long queueBytes(TaskContext task) {
    return Math.min(
        task.configuration().value(Settings.QUEUE_BYTES),
        task.memory().pool().limitBytes() / QUEUE_SHARE);
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
                OperatorFactory.NO_NODE,
                "Output",
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
      case Partitioning.Hash hash ->
          RowPlacement.byKeys(
              draft.schema().select(hash.keys()).types(), hash.keys(), request.partitionCount());
    };
  }

  /** One driver gathers and dedups; each run of the step is a task with drivers of its own. */
  private PipelineDraft recursion(PhysicalPlan.Recursion recursion) {
    PipelineDraft input = exchanges.gather(draft(recursion.input()), recursion, List.of());
    return input
        .then(
            OperatorFactory.of(
                recursion.id(),
                nameOf(recursion),
                driver ->
                    new RecursionOperator(
                        recursion,
                        new StepTasks(recursion, request, executor),
                        task.memory().openReservation(RevocableOwner.NONE))),
            recursion.outputSchema())
        .hashedBy(null);
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
      case PhysicalPlan.HashJoin join -> join(join);
      case PhysicalPlan.Aggregate aggregate -> aggregate(aggregate);
      case PhysicalPlan.Sort sort -> sort(draft(sort.input()), sort);
      case PhysicalPlan.Window window -> together(window, window.partitionKeys());
      case PhysicalPlan.TopN topN ->
          draft(topN.input())
              .then(
                  OperatorFactory.of(plan.id(), nameOf(plan), driver -> new TopNOperator(topN)),
                  topN.outputSchema());
      case PhysicalPlan.Udf udf -> udf(udf);
      case PhysicalPlan.Fetch fetch -> fetch(fetch);
      case PhysicalPlan.Write write -> write(write);
      case PhysicalPlan.Recursion recursion -> recursion(recursion);
      case PhysicalPlan.Expand expand ->
          draft(expand.input())
              .then(
                  OperatorFactory.of(
                      plan.id(),
                      nameOf(plan),
                      driver -> new ExpandOperator(expand, environment.expressions())),
                  expand.outputSchema())
              .hashedBy(null);
      case PhysicalPlan.Unnest unnest ->
          draft(unnest.input())
              .then(
                  OperatorFactory.of(plan.id(), nameOf(plan), driver -> new UnnestOperator(unnest)),
                  unnest.outputSchema())
              .hashedBy(null);
      case PhysicalPlan.Sample sample ->
          draft(sample.input())
              .then(
                  OperatorFactory.of(plan.id(), nameOf(plan), driver -> new SampleOperator(sample)),
                  sample.outputSchema());
    };
  }

  private static PipelineDraft sort(PipelineDraft input, PhysicalPlan.Sort sort) {
    return input.then(
        OperatorFactory.of(
            sort.id(), nameOf(sort), driver -> new SortOperator(sort.outputSchema(), sort.keys())),
        sort.outputSchema());
  }

  /**
   * The plan with rows of equal keys at one driver. Below a window they are brought together before
   * the sort that serves it, and so that each window on the way has its partitions whole.
   */
  private PipelineDraft together(PhysicalPlan plan, List<Integer> keys) {
    return switch (plan) {
      case PhysicalPlan.Window window -> {
        List<Integer> common = keys.stream().filter(window.partitionKeys()::contains).toList();
        yield window(together(window.input(), common), window);
      }
      case PhysicalPlan.Sort sort -> sort(together(sort.input(), keys), sort);
      default -> {
        PipelineDraft input = draft(plan);
        yield input.keepsTogether(keys)
            ? input
            : keys.isEmpty()
                ? exchanges.gather(input, plan, List.of())
                : exchanges.hash(input, plan, keys);
      }
    };
  }

  private PipelineDraft window(PipelineDraft input, PhysicalPlan.Window window) {
    List<AggregateKernel> kernels = new ArrayList<>();
    window
        .calls()
        .forEach(call -> kernels.add(WindowEvaluators.kernel(call, environment.aggregates())));
    return input.then(
        OperatorFactory.of(
            window.id(), nameOf(window), driver -> new WindowOperator(window, kernels)),
        window.outputSchema());
  }

  private PipelineDraft scan(PhysicalPlan.Scan scan) {
    SplitQueue splits = new SplitQueue(scan.splits());
    Connector connector = environment.connectors().named(scan.specification().source().connector());
    ScanFilters filters = new ScanFilters(promised.getOrDefault(scan.id(), List.of()));
    int drivers = Math.clamp(scan.splits().size(), 1, Math.max(1, request.parallelism()));
    return new PipelineDraft(
        OperatorFactory.of(
            scan.id(),
            nameOf(scan),
            driver ->
                new ScanOperator(
                    scan.specification(),
                    splits,
                    connector,
                    environment.connectorContext(),
                    filters)),
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

  private static SourceOperator stageSource(PhysicalPlan.StageInput input, TaskInput inputs) {
    return inputs.mergeKeys().isEmpty()
        ? new StageInputOperator(input.outputSchema(), inputs.sources())
        : new SortedMerge(
            input.outputSchema(),
            inputs.mergeKeys(),
            inputs.sources().stream().map(SortedInput::of).toList());
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
      case Partitioning.Single single -> exchanges.gather(input, exchange, single.mergeKeys());
      // In one process one partition is all there are to send to.
      case Partitioning.Broadcast broadcast -> exchanges.gather(input, exchange, List.of());
      case Partitioning.RoundRobin rotating -> exchanges.spread(input, exchange);
      case Partitioning.Hash hash -> exchanges.hash(input, exchange, hash.keys());
    };
  }

  private PipelineDraft union(PhysicalPlan.Union union) {
    List<PipelineDraft> inputs = new ArrayList<>();
    union.inputs().forEach(input -> inputs.add(draft(input)));
    return exchanges.union(inputs, union);
  }

  /**
   * The drivers share one table, so rows need not be placed by key: exchanges below the join go. A
   * probe side of few drivers is spread instead.
   */
  private PipelineDraft join(PhysicalPlan.HashJoin join) {
    RuntimeFilters filters = promiseFilters(join);
    PipelineDraft build = draft(anyDriver(join.build()));
    PhysicalPlan probePlan = withoutExchange(join.probe());
    PipelineDraft probe = draft(probePlan);
    if (!probePlan.equals(join.probe())) {
      probe = exchanges.spread(probe, join.probe());
    }
    JoinBridge<BuildSide> bridge =
        JoinBridge.open(
            task, nameOf(join) + "-" + join.id(), build.driverCount(), probe.driverCount());
    JoinSpill spill = JoinSpill.open(task);
    bridge.unwanted().thenRun(filters::withdraw);
    pipelines.add(
        build.end(
            OperatorFactory.of(
                join.id(),
                nameOf(join),
                driver -> new HashJoinBuildSink(join, bridge, spill, filters))));
    return probe.then(
        OperatorFactory.of(
            join.id(),
            nameOf(join),
            driver -> new HashJoinOperator(join, bridge, spill, environment.expressions())),
        join.outputSchema());
  }

  /** Where probe rows without a match are dropped, scans below may leave them out. */
  private RuntimeFilters promiseFilters(PhysicalPlan.HashJoin join) {
    RuntimeFilters filters = new RuntimeFilters();
    boolean drops =
        switch (join.joinType()) {
          case INNER, SEMI, RIGHT -> true;
          case LEFT, FULL, ANTI -> false;
        };
    if (!drops || !task.configuration().value(Settings.RUNTIME_FILTERS)) {
      return filters;
    }
    for (int key = 0; key < join.probeKeys().size(); key++) {
      if (!join.nullSafe().get(key)) {
        for (ScanColumns.Origin origin : ScanColumns.of(join.probe(), join.probeKeys().get(key))) {
          promised
              .computeIfAbsent(origin.scanId(), scan -> new ArrayList<>())
              .add(filters.promise(key, origin.column()));
        }
      }
    }
    return filters;
  }

  /** Any driver may bring build rows, in any order. */
  private static PhysicalPlan anyDriver(PhysicalPlan build) {
    return build instanceof PhysicalPlan.Exchange exchange ? exchange.input() : build;
  }

  private static PhysicalPlan withoutExchange(PhysicalPlan side) {
    return side instanceof PhysicalPlan.Exchange exchange
            && !(exchange.partitioning() instanceof Partitioning.Single)
        ? exchange.input()
        : side;
  }

  private PipelineDraft aggregate(PhysicalPlan.Aggregate aggregate) {
    PipelineDraft input = draft(aggregate.input());
    boolean partial = aggregate.step() == AggregateStep.PARTIAL;
    List<Integer> keys = aggregate.groupKeys();
    if (!partial && !input.keepsTogether(keys)) {
      input =
          keys.isEmpty()
              ? exchanges.gather(input, aggregate, List.of())
              : exchanges.hash(input, aggregate, keys);
    }
    List<AggregateKernel> kernels =
        aggregate.calls().stream().map(environment.aggregates()::bind).toList();
    List<Integer> hashed = keyPositions(input.hashColumns(), keys);
    return input
        .then(
            OperatorFactory.of(
                aggregate.id(),
                nameOf(aggregate),
                driver -> new AggregateOperator(aggregate, kernels)),
            aggregate.outputSchema())
        .hashedBy(hashed);
  }

  /** Where the columns stand among the keys; null when one is no key. */
  private static List<Integer> keyPositions(List<Integer> columns, List<Integer> keys) {
    return columns == null || !keys.containsAll(columns)
        ? null
        : columns.stream().map(keys::indexOf).toList();
  }

  private PipelineDraft udf(PhysicalPlan.Udf udf) {
    SharedUdfPool pool = udfPools.pool(udf.function());
    return draft(udf.input())
        .then(
            OperatorFactory.of(udf.id(), nameOf(udf), driver -> new UdfOperator(udf, pool)),
            udf.outputSchema());
  }

  private PipelineDraft fetch(PhysicalPlan.Fetch fetch) {
    Connector connector = environment.connectors().named(fetch.source().connector());
    ConnectorContext context = connectorContext(nameOf(fetch) + "-" + fetch.id() + "-taker");
    SharedRowTaker taker = new SharedRowTaker(() -> connector.openTaker(fetch.source(), context));
    task.addResource(taker);
    return draft(fetch.input())
        .then(
            OperatorFactory.of(
                fetch.id(), nameOf(fetch), driver -> new FetchOperator(fetch, taker)),
            fetch.outputSchema());
  }

  private PipelineDraft write(PhysicalPlan.Write write) {
    Connector connector = environment.connectors().named(write.sink().connector());
    ConnectorContext context = connectorContext(nameOf(write) + "-" + write.id() + "-sink");
    return draft(write.input())
        .then(
            OperatorFactory.of(
                write.id(),
                nameOf(write),
                driver ->
                    new WriteOperator(
                        write.input().outputSchema(),
                        () -> connector.openSink(write.sink(), context),
                        request.attemptId() + "-" + driver)),
            write.outputSchema());
  }

  /** What a connector gets that works for several drivers of this task. */
  private ConnectorContext connectorContext(String name) {
    ConnectorContext shared = environment.connectorContext();
    return new ConnectorContext(
        task.openScope(name).allocator(),
        shared.blockingWork(),
        shared.stores(),
        task.configuration());
  }
}
