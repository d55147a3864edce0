package io.millrace.planner.dataframe;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.QueryRequest;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.udf.UdfReference;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.explain.AnalyzedText;
import io.millrace.planner.explain.LogicalText;
import io.millrace.planner.explain.PhysicalText;
import io.millrace.planner.logical.DeepStack;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.optimize.Optimizer;
import io.millrace.planner.physical.PhysicalPlanner;
import io.millrace.planner.sanity.PlanChecker;
import io.millrace.planner.stage.StageCutter;
import io.millrace.planner.statistics.Estimates;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import org.apache.calcite.rel.RelNode;

/** Takes a logical plan through the phases and hands the result to the runner. */
final class QueryPlanning {
  private final SessionServices services;
  private final FunctionBinding binding;

  QueryPlanning(SessionServices services, FunctionBinding binding) {
    this.services = services;
    this.binding = binding;
  }

  RelNode optimize(RelNode logical, Configuration configuration) {
    PlanChecker.checkLogical("logical", logical);
    return new Optimizer(binding, configuration, services.constantEvaluator()).optimize(logical);
  }

  private PhysicalPlan physical(
      Relation query, Configuration configuration, Optional<SinkSpecification> sink) {
    return DeepStack.call(() -> physicalOnce(query, configuration, sink));
  }

  private PhysicalPlan physicalOnce(
      Relation query, Configuration configuration, Optional<SinkSpecification> sink) {
    RelNode optimized = optimize(query.node(), configuration);
    PhysicalPlanner planner = planner(optimized, configuration);
    PhysicalPlan plan =
        sink.isPresent()
            ? planner.planWrite(optimized, query.schema(), sink.get())
            : planner.plan(optimized, query.schema());
    PlanChecker.checkPhysical(plan);
    return plan;
  }

  private PhysicalPlanner planner(RelNode optimized, Configuration configuration) {
    return new PhysicalPlanner(
        services.functions(),
        configuration,
        optimized,
        this::encode,
        services.runner().parallelism());
  }

  private UdfReference encode(UserFunction function) {
    byte[] payload =
        services
            .udfInvoker()
            .orElseThrow(
                () ->
                    new MillraceException(
                        ErrorCode.MISSING_ARTIFACT,
                        "User-defined functions need io.millrace:udf on the class path: "
                            + function.name()))
            .encode(function.implementation());
    return new UdfReference(
        function.name(),
        services.jarHash(),
        payload,
        function.argumentTypes(),
        function.resultType(),
        function.options());
  }

  ResultStream run(Relation query, Configuration configuration) {
    return run(query, physical(query, configuration, Optional.empty()), configuration);
  }

  /** Runs the write; its rows are fragments. */
  ResultStream runWrite(Relation query, Configuration configuration, SinkSpecification sink) {
    return run(query, physical(query, configuration, Optional.of(sink)), configuration);
  }

  private ResultStream run(Relation query, PhysicalPlan plan, Configuration configuration) {
    return services
        .runner()
        .run(
            new QueryRequest(
                UUID.randomUUID().toString(),
                plan,
                configuration,
                UserClasses.loader(query.node())));
  }

  String explain(Relation query, Configuration configuration, ExplainPhase phase) {
    return switch (phase) {
      case LOGICAL -> LogicalText.of(query.node());
      case OPTIMIZED -> LogicalText.of(optimize(query.node(), configuration));
      case PHYSICAL -> PhysicalText.of(physical(query, configuration, Optional.empty()));
      case STAGES ->
          PhysicalText.of(StageCutter.cut(physical(query, configuration, Optional.empty())));
      case ALL -> {
        PhysicalPlan plan = physical(query, configuration, Optional.empty());
        yield "Logical plan\n"
            + LogicalText.of(query.node())
            + "\nOptimized plan\n"
            + estimated(optimize(query.node(), configuration), configuration)
            + "\nPhysical plan\n"
            + PhysicalText.of(plan)
            + "\nStages\n"
            + PhysicalText.of(StageCutter.cut(plan));
      }
    };
  }

  /** A plan with the rows that are expected of each node. */
  private static String estimated(RelNode plan, Configuration configuration) {
    Estimates estimates = new Estimates(configuration.value(Settings.STATISTICS));
    return LogicalText.of(
        plan,
        node -> {
          OptionalDouble rows = estimates.rows(node);
          return rows.isPresent() ? "  (about " + Math.round(rows.getAsDouble()) + " rows)" : "";
        });
  }

  String explainAnalyze(Relation query, Configuration configuration) {
    RelNode optimized = optimize(query.node(), configuration);
    PhysicalPlanner planner = planner(optimized, configuration);
    PhysicalPlan plan = planner.plan(optimized, query.schema());
    PlanChecker.checkPhysical(plan);
    Map<Integer, RelNode> origins = planner.origins();
    Estimates estimates = new Estimates(configuration.value(Settings.STATISTICS));
    try (ResultStream stream = run(query, plan, configuration)) {
      for (Optional<Batch> next = stream.next(); next.isPresent(); next = stream.next()) {
        next.get().close();
      }
      return AnalyzedText.of(
          plan,
          stream.profile(),
          id -> origins.containsKey(id) ? estimates.rows(origins.get(id)) : OptionalDouble.empty());
    }
  }
}
