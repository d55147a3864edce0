package io.millrace.core.plan;

import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TypeCodec;
import io.millrace.core.udf.UdfOptions;
import io.millrace.core.udf.UdfReference;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads what {@link PlanWriter} wrote. */
final class PlanReader {
  private final DataInputStream input;

  PlanReader(DataInputStream input) {
    this.input = input;
  }

  /** Reads one element of a list. */
  private interface Element<T> {
    T read() throws IOException;
  }

  int count() throws IOException {
    return ValueCodec.length(input);
  }

  private <T> List<T> list(Element<T> element) throws IOException {
    int size = count();
    List<T> values = new ArrayList<>();
    for (int index = 0; index < size; index++) {
      values.add(element.read());
    }
    return values;
  }

  private <T> Optional<T> optional(Element<T> element) throws IOException {
    return input.readBoolean() ? Optional.of(element.read()) : Optional.empty();
  }

  PhysicalPlan plan() throws IOException {
    PlanTag tag = PlanTag.ofNumber(input.readByte());
    int id = input.readInt();
    return switch (tag) {
      case SCAN -> new PhysicalPlan.Scan(id, specification(), list(this::split));
      case VALUES ->
          new PhysicalPlan.Values(id, schema(), list(() -> list(() -> ValueCodec.read(input))));
      case FILTER -> new PhysicalPlan.Filter(id, plan(), expression());
      case PROJECT -> new PhysicalPlan.Project(id, plan(), list(this::expression), schema());
      case HASH_JOIN ->
          new PhysicalPlan.HashJoin(
              id,
              plan(),
              plan(),
              JoinType.values()[input.readByte()],
              integers(),
              integers(),
              list(input::readBoolean),
              optional(this::expression),
              schema());
      case AGGREGATE ->
          new PhysicalPlan.Aggregate(
              id,
              plan(),
              AggregateStep.values()[input.readByte()],
              integers(),
              list(this::aggregateCall),
              schema());
      case SORT -> new PhysicalPlan.Sort(id, plan(), list(this::orderKey));
      case WINDOW ->
          new PhysicalPlan.Window(
              id, plan(), integers(), list(this::orderKey), list(this::windowCall), schema());
      case TOP_N ->
          new PhysicalPlan.TopN(
              id, plan(), list(this::orderKey), input.readLong(), input.readLong());
      case LIMIT -> new PhysicalPlan.Limit(id, plan(), input.readLong(), input.readLong());
      case UNION -> new PhysicalPlan.Union(id, list(this::plan), schema());
      case UDF -> new PhysicalPlan.Udf(id, plan(), function(), integers(), field());
      case FETCH -> new PhysicalPlan.Fetch(id, plan(), source(), list(this::fetchColumn));
      case EXCHANGE -> new PhysicalPlan.Exchange(id, plan(), partitioning());
      case STAGE_INPUT -> new PhysicalPlan.StageInput(id, input.readInt(), schema());
      case WRITE -> new PhysicalPlan.Write(id, plan(), sink());
      case EXPAND ->
          new PhysicalPlan.Expand(id, plan(), list(() -> list(this::expression)), schema());
      case UNNEST ->
          new PhysicalPlan.Unnest(
              id,
              plan(),
              integers(),
              integers(),
              input.readBoolean(),
              input.readBoolean(),
              schema());
      case SAMPLE -> sample(id);
      case RECURSION ->
          new PhysicalPlan.Recursion(
              id, plan(), plan(), input.readInt(), input.readBoolean(), schema());
      case INPUT, CONSTANT, CALL, CAST, LOGICAL, CASE_WHEN, COALESCE, IN_SET, FIELD_ACCESS ->
          throw new IOException("an expression in place of a plan node: " + tag);
    };
  }

  private PhysicalPlan.Sample sample(int id) throws IOException {
    PhysicalPlan rows = plan();
    double share = input.readDouble();
    boolean blocks = input.readBoolean();
    boolean seeded = input.readBoolean();
    long seed = input.readLong();
    return new PhysicalPlan.Sample(
        id, rows, share, blocks, seeded ? OptionalLong.of(seed) : OptionalLong.empty());
  }

  private AggregateCall aggregateCall() throws IOException {
    String function = text();
    List<Integer> arguments = integers();
    List<DataType> types = list(this::type);
    boolean distinct = input.readBoolean();
    int filter = input.readInt();
    return new AggregateCall(
        function,
        arguments,
        types,
        distinct,
        filter < 0 ? OptionalInt.empty() : OptionalInt.of(filter),
        type());
  }

  private WindowCall windowCall() throws IOException {
    String function = text();
    List<PhysicalExpression> arguments = list(this::expression);
    boolean distinct = input.readBoolean();
    boolean ignoreNulls = input.readBoolean();
    int filter = input.readInt();
    WindowFrame frame =
        new WindowFrame(
            WindowFrame.Unit.values()[input.readByte()],
            frameBound(),
            frameBound(),
            WindowFrame.Exclusion.values()[input.readByte()]);
    return new WindowCall(
        function,
        arguments,
        distinct,
        ignoreNulls,
        filter < 0 ? OptionalInt.empty() : OptionalInt.of(filter),
        frame,
        type());
  }

  private WindowFrame.Bound frameBound() throws IOException {
    return new WindowFrame.Bound(
        WindowFrame.Edge.values()[input.readByte()], optional(this::expression));
  }

  private OrderKey orderKey() throws IOException {
    return new OrderKey(input.readInt(), input.readBoolean(), input.readBoolean());
  }

  private FetchColumn fetchColumn() throws IOException {
    return new FetchColumn(input.readInt(), text(), field());
  }

  Partitioning partitioning() throws IOException {
    int tag = input.readByte();
    return switch (tag) {
      case 0 -> new Partitioning.Single(list(this::orderKey));
      case 1 -> new Partitioning.Hash(integers());
      case 2 -> new Partitioning.Broadcast();
      case 3 -> new Partitioning.RoundRobin();
      default -> throw new IOException("unknown partitioning " + tag);
    };
  }

  private ScanSpecification specification() throws IOException {
    SourceReference source = source();
    Schema tableSchema = schema();
    List<ScanSpecification.ScanColumn> columns =
        list(() -> new ScanSpecification.ScanColumn(text(), field()));
    List<PhysicalExpression> filters = list(this::expression);
    long limit = input.readLong();
    return new ScanSpecification(
        source,
        tableSchema,
        columns,
        filters,
        limit < 0 ? OptionalLong.empty() : OptionalLong.of(limit));
  }

  private SourceReference source() throws IOException {
    return new SourceReference(
        input.readInt(), text(), list(this::text), options(), optional(this::text));
  }

  private Split split() throws IOException {
    return new Split(text(), input.readLong(), input.readLong(), list(this::text));
  }

  private SinkSpecification sink() throws IOException {
    return new SinkSpecification(
        text(), text(), WriteMode.values()[input.readByte()], schema(), options(), text());
  }

  private UdfReference function() throws IOException {
    String name = text();
    Optional<String> jarHash = optional(this::text);
    byte[] payload = ValueCodec.bytes(input);
    List<DataType> argumentTypes = list(this::type);
    DataType resultType = type();
    double cpus = input.readDouble();
    double gpus = input.readDouble();
    long memoryBytes = input.readLong();
    int concurrency = input.readInt();
    UdfOptions options =
        new UdfOptions(
            cpus,
            gpus,
            memoryBytes,
            concurrency < 0 ? OptionalInt.empty() : OptionalInt.of(concurrency),
            input.readInt(),
            input.readLong(),
            input.readInt(),
            UdfOptions.OnError.values()[input.readByte()],
            input.readBoolean());
    return new UdfReference(name, jarHash, payload, argumentTypes, resultType, options);
  }

  PhysicalExpression expression() throws IOException {
    PlanTag tag = PlanTag.ofNumber(input.readByte());
    return switch (tag) {
      case INPUT -> new PhysicalExpression.Input(input.readInt(), type());
      case CONSTANT -> {
        DataType type = type();
        yield new PhysicalExpression.Constant(ValueCodec.read(input), type);
      }
      case CALL -> new PhysicalExpression.Call(text(), list(this::expression), type());
      case CAST -> new PhysicalExpression.Cast(expression(), type(), input.readBoolean());
      case LOGICAL -> new PhysicalExpression.Logical(input.readBoolean(), list(this::expression));
      case CASE_WHEN ->
          new PhysicalExpression.CaseWhen(
              list(() -> new PhysicalExpression.Branch(expression(), expression())),
              optional(this::expression),
              type());
      case COALESCE -> new PhysicalExpression.Coalesce(list(this::expression), type());
      case IN_SET ->
          new PhysicalExpression.InSet(
              expression(),
              list(() -> ValueCodec.read(input)),
              input.readBoolean(),
              input.readBoolean());
      case FIELD_ACCESS ->
          new PhysicalExpression.FieldAccess(expression(), input.readInt(), type());
      case EXPAND,
          UNNEST,
          SAMPLE,
          RECURSION,
          SCAN,
          VALUES,
          FILTER,
          PROJECT,
          HASH_JOIN,
          AGGREGATE,
          SORT,
          TOP_N,
          LIMIT,
          UNION,
          UDF,
          FETCH,
          EXCHANGE,
          STAGE_INPUT,
          WRITE,
          WINDOW ->
          throw new IOException("a plan node in place of an expression: " + tag);
    };
  }

  List<Integer> integers() throws IOException {
    return list(input::readInt);
  }

  private DataType type() throws IOException {
    return TypeCodec.readType(input);
  }

  private Field field() throws IOException {
    return TypeCodec.readField(input);
  }

  private Schema schema() throws IOException {
    return TypeCodec.readSchema(input);
  }

  private Map<String, String> options() throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    int size = count();
    for (int index = 0; index < size; index++) {
      options.put(text(), text());
    }
    return options;
  }

  private String text() throws IOException {
    return new String(ValueCodec.bytes(input), StandardCharsets.UTF_8);
  }
}
