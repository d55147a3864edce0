package io.millrace.core.plan;

import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TypeCodec;
import io.millrace.core.udf.UdfOptions;
import io.millrace.core.udf.UdfReference;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Writes plans; {@link PlanReader} is its mirror image, member by member. */
final class PlanWriter {
  private final DataOutputStream output;

  PlanWriter(DataOutputStream output) {
    this.output = output;
  }

  /** Writes one element of a list. */
  private interface Element<T> {
    void write(T value) throws IOException;
  }

  private <T> void list(List<T> values, Element<T> element) throws IOException {
    output.writeInt(values.size());
    for (T value : values) {
      element.write(value);
    }
  }

  void plan(PhysicalPlan plan) throws IOException {
    output.writeByte(PlanTag.of(plan).number());
    output.writeInt(plan.id());
    switch (plan) {
      case PhysicalPlan.Scan scan -> {
        specification(scan.specification());
        list(scan.splits(), this::split);
      }
      case PhysicalPlan.Values values -> {
        schema(values.outputSchema());
        list(values.rows(), row -> list(row, value -> ValueCodec.write(output, value)));
      }
      case PhysicalPlan.Filter filter -> {
        plan(filter.input());
        expression(filter.predicate());
      }
      case PhysicalPlan.Project project -> {
        plan(project.input());
        list(project.expressions(), this::expression);
        schema(project.outputSchema());
      }
      case PhysicalPlan.HashJoin join -> join(join);
      case PhysicalPlan.Aggregate aggregate -> aggregate(aggregate);
      case PhysicalPlan.Sort sort -> {
        plan(sort.input());
        orderKeys(sort.keys());
      }
      case PhysicalPlan.Window window -> window(window);
      case PhysicalPlan.TopN topN -> topN(topN);
      case PhysicalPlan.Limit limit -> {
        plan(limit.input());
        output.writeLong(limit.offset());
        output.writeLong(limit.limit());
      }
      case PhysicalPlan.Union union -> {
        list(union.inputs(), this::plan);
        schema(union.outputSchema());
      }
      case PhysicalPlan.Udf udf -> call(udf);
      case PhysicalPlan.Fetch fetch -> {
        plan(fetch.input());
        source(fetch.source());
        list(fetch.columns(), this::fetchColumn);
      }
      case PhysicalPlan.Exchange exchange -> {
        plan(exchange.input());
        partitioning(exchange.partitioning());
      }
      case PhysicalPlan.StageInput input -> {
        output.writeInt(input.stageId());
        schema(input.outputSchema());
      }
      case PhysicalPlan.Write write -> {
        plan(write.input());
        sink(write.sink());
      }
      case PhysicalPlan.Expand expand -> expand(expand);
      case PhysicalPlan.Unnest unnest -> unnest(unnest);
      case PhysicalPlan.Recursion recursion -> recursion(recursion);
      case PhysicalPlan.Sample sample -> sample(sample);
    }
  }

  private void recursion(PhysicalPlan.Recursion recursion) throws IOException {
    plan(recursion.input());
    plan(recursion.step());
    output.writeInt(recursion.workTable());
    output.writeBoolean(recursion.all());
    schema(recursion.outputSchema());
  }

  private void sample(PhysicalPlan.Sample sample) throws IOException {
    plan(sample.input());
    output.writeDouble(sample.share());
    output.writeBoolean(sample.blocks());
    output.writeBoolean(sample.seed().isPresent());
    output.writeLong(sample.seed().orElse(0));
  }

  private void aggregate(PhysicalPlan.Aggregate aggregate) throws IOException {
    plan(aggregate.input());
    output.writeByte(aggregate.step().ordinal());
    integers(aggregate.groupKeys());
    list(aggregate.calls(), this::aggregateCall);
    schema(aggregate.outputSchema());
  }

  private void call(PhysicalPlan.Udf udf) throws IOException {
    plan(udf.input());
    function(udf.function());
    integers(udf.arguments());
    field(udf.output());
  }

  private void expand(PhysicalPlan.Expand expand) throws IOException {
    plan(expand.input());
    list(expand.projections(), projection -> list(projection, this::expression));
    schema(expand.outputSchema());
  }

  private void window(PhysicalPlan.Window window) throws IOException {
    plan(window.input());
    integers(window.partitionKeys());
    orderKeys(window.orderKeys());
    list(window.calls(), this::windowCall);
    schema(window.outputSchema());
  }

  private void windowCall(WindowCall call) throws IOException {
    text(call.function());
    list(call.arguments(), this::expression);
    output.writeBoolean(call.distinct());
    output.writeBoolean(call.ignoreNulls());
    output.writeInt(call.filter().orElse(-1));
    output.writeByte(call.frame().unit().ordinal());
    frameBound(call.frame().start());
    frameBound(call.frame().end());
    output.writeByte(call.frame().exclusion().ordinal());
    type(call.resultType());
  }

  private void frameBound(WindowFrame.Bound bound) throws IOException {
    output.writeByte(bound.edge().ordinal());
    output.writeBoolean(bound.offset().isPresent());
    if (bound.offset().isPresent()) {
      expression(bound.offset().get());
    }
  }

  private void topN(PhysicalPlan.TopN topN) throws IOException {
    plan(topN.input());
    orderKeys(topN.keys());
    output.writeLong(topN.offset());
    output.writeLong(topN.limit());
  }

  private void unnest(PhysicalPlan.Unnest unnest) throws IOException {
    plan(unnest.input());
    integers(unnest.kept());
    integers(unnest.lists());
    output.writeBoolean(unnest.ordinality());
    output.writeBoolean(unnest.outer());
    schema(unnest.outputSchema());
  }

  private void join(PhysicalPlan.HashJoin join) throws IOException {
    plan(join.probe());
    plan(join.build());
    output.writeByte(join.joinType().ordinal());
    integers(join.probeKeys());
    integers(join.buildKeys());
    list(join.nullSafe(), output::writeBoolean);
    output.writeBoolean(join.residual().isPresent());
    if (join.residual().isPresent()) {
      expression(join.residual().get());
    }
    schema(join.outputSchema());
  }

  private void aggregateCall(AggregateCall call) throws IOException {
    text(call.function());
    integers(call.arguments());
    list(call.argumentTypes(), this::type);
    output.writeBoolean(call.distinct());
    output.writeInt(call.filter().orElse(-1));
    type(call.resultType());
  }

  private void orderKeys(List<OrderKey> keys) throws IOException {
    list(
        keys,
        key -> {
          output.writeInt(key.column());
          output.writeBoolean(key.descending());
          output.writeBoolean(key.nullsFirst());
        });
  }

  private void fetchColumn(FetchColumn column) throws IOException {
    output.writeInt(column.inputIndex());
    text(column.sourceColumn());
    field(column.output());
  }

  void partitioning(Partitioning partitioning) throws IOException {
    switch (partitioning) {
      case Partitioning.Single single -> {
        output.writeByte(0);
        orderKeys(single.mergeKeys());
      }
      case Partitioning.Hash hash -> {
        output.writeByte(1);
        integers(hash.keys());
      }
      case Partitioning.Broadcast broadcast -> output.writeByte(2);
      case Partitioning.RoundRobin roundRobin -> output.writeByte(3);
    }
  }

  private void specification(ScanSpecification specification) throws IOException {
    source(specification.source());
    schema(specification.tableSchema());
    list(
        specification.columns(),
        column -> {
          text(column.sourceColumn());
          field(column.output());
        });
    list(specification.filters(), this::expression);
    output.writeLong(specification.limit().orElse(-1));
  }

  private void source(SourceReference source) throws IOException {
    output.writeInt(source.sourceId());
    text(source.connector());
    list(source.uris(), this::text);
    options(source.options());
    output.writeBoolean(source.pin().isPresent());
    if (source.pin().isPresent()) {
      text(source.pin().get());
    }
  }

  private void split(Split split) throws IOException {
    text(split.payload());
    output.writeLong(split.bytes());
    output.writeLong(split.rows());
    list(split.hosts(), this::text);
  }

  private void sink(SinkSpecification sink) throws IOException {
    text(sink.connector());
    text(sink.uri());
    output.writeByte(sink.mode().ordinal());
    schema(sink.schema());
    options(sink.options());
    text(sink.writeId());
  }

  private void function(UdfReference function) throws IOException {
    text(function.name());
    output.writeBoolean(function.jarHash().isPresent());
    if (function.jarHash().isPresent()) {
      text(function.jarHash().get());
    }
    ValueCodec.bytes(output, function.payload());
    list(function.argumentTypes(), this::type);
    type(function.resultType());
    UdfOptions options = function.options();
    output.writeDouble(options.cpus());
    output.writeDouble(options.gpus());
    output.writeLong(options.memoryBytes());
    output.writeInt(options.concurrency().orElse(-1));
    output.writeInt(options.batchRows());
    output.writeLong(options.timeoutMillis());
    output.writeInt(options.retries());
    output.writeByte(options.onError().ordinal());
    output.writeBoolean(options.deterministic());
  }

  void expression(PhysicalExpression expression) throws IOException {
    output.writeByte(PlanTag.of(expression).number());
    switch (expression) {
      case PhysicalExpression.Input input -> {
        output.writeInt(input.index());
        type(input.type());
      }
      case PhysicalExpression.Constant constant -> {
        type(constant.type());
        ValueCodec.write(output, constant.value());
      }
      case PhysicalExpression.Call call -> {
        text(call.function());
        list(call.arguments(), this::expression);
        type(call.type());
      }
      case PhysicalExpression.Cast cast -> {
        expression(cast.input());
        type(cast.type());
        output.writeBoolean(cast.safe());
      }
      case PhysicalExpression.Logical logical -> {
        output.writeBoolean(logical.conjunction());
        list(logical.arguments(), this::expression);
      }
      case PhysicalExpression.CaseWhen caseWhen -> {
        list(
            caseWhen.branches(),
            branch -> {
              expression(branch.condition());
              expression(branch.value());
            });
        output.writeBoolean(caseWhen.otherwise().isPresent());
        if (caseWhen.otherwise().isPresent()) {
          expression(caseWhen.otherwise().get());
        }
        type(caseWhen.type());
      }
      case PhysicalExpression.Coalesce coalesce -> {
        list(coalesce.arguments(), this::expression);
        type(coalesce.type());
      }
      case PhysicalExpression.InSet inSet -> {
        expression(inSet.value());
        list(inSet.candidates(), candidate -> ValueCodec.write(output, candidate));
        output.writeBoolean(inSet.hasNull());
        output.writeBoolean(inSet.negated());
      }
      case PhysicalExpression.FieldAccess access -> {
        expression(access.input());
        output.writeInt(access.index());
        type(access.type());
      }
    }
  }

  void integers(List<Integer> values) throws IOException {
    list(values, output::writeInt);
  }

  private void type(DataType type) throws IOException {
    TypeCodec.write(type, output);
  }

  private void field(Field field) throws IOException {
    TypeCodec.write(field, output);
  }

  private void schema(Schema schema) throws IOException {
    TypeCodec.write(schema, output);
  }

  private void options(Map<String, String> options) throws IOException {
    list(
        List.copyOf(options.entrySet()),
        entry -> {
          text(entry.getKey());
          text(entry.getValue());
        });
  }

  private void text(String text) throws IOException {
    ValueCodec.bytes(output, text.getBytes(StandardCharsets.UTF_8));
  }
}
