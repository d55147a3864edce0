package io.millrace.planner.optimize;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.WindowCall;
import io.millrace.core.plan.WindowFrame;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.OperatorNames;
import io.millrace.planner.logical.Window;
import io.millrace.planner.logical.WindowOperator;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;

/**
 * Takes window functions out of expressions: nodes below compute them, one per partitioning and
 * order. What they read is computed in a projection below these. Nodes of one partitioning stand on
 * each other, the one with most sort keys lowest, so that they share its sort.
 *
 * <pre>
 * Project [sum(a + 1) OVER (PARTITION BY b) - 2]      Project [$3 - 2]
 *   Scan t [a b]                                 →      Window by [$1] [sum($2)]
 *                                                         Project [a b a + 1]
 *                                                           Scan t [a b]
 * </pre>
 */
final class ExtractWindows {
  private final FunctionBinding binding;
  private final ExpressionNormalizer expressions;
  private final RelNode input;
  private final List<RelDataType> inputTypes;
  private final List<RexNode> columns;
  private final Map<RexOver, Extracted> extracted = new LinkedHashMap<>();

  /** Where a function is computed. */
  private record Place(List<Integer> partitionKeys, List<OrderKey> orderKeys) {}

  private record Extracted(Place place, WindowCall call, RelDataType declared) {}

  ExtractWindows(FunctionBinding binding, ExpressionNormalizer expressions, RelNode input) {
    this.binding = binding;
    this.expressions = expressions;
    this.input = input;
    this.inputTypes = Rewriting.types(input);
    this.columns = new ArrayList<>(Rewriting.allColumns(input));
  }

  /**
   * What is left of expressions.
   *
   * @param node the input with the windows' columns behind it
   * @param expressions the expressions over it, in no normal form
   */
  record Result(RelNode node, List<RexNode> expressions) {}

  Result extract(List<RexNode> outputs) {
    outputs.forEach(this::collect);
    List<Map.Entry<RexOver, Extracted>> all = new ArrayList<>(extracted.entrySet());
    all.sort(
        Comparator.comparing(
                (Map.Entry<RexOver, Extracted> entry) ->
                    entry.getValue().place().partitionKeys().toString())
            .thenComparing(entry -> -entry.getValue().place().orderKeys().size())
            .thenComparing(entry -> entry.getValue().place().orderKeys().toString()));
    RelNode node = base();
    Map<RexOver, Integer> positions = new LinkedHashMap<>();
    for (int from = 0; from < all.size(); ) {
      Place place = all.get(from).getValue().place();
      List<WindowCall> calls = new ArrayList<>();
      List<Field> fields = new ArrayList<>();
      int first = node.getRowType().getFieldCount();
      for (; from < all.size() && all.get(from).getValue().place().equals(place); from++) {
        WindowCall call = all.get(from).getValue().call();
        int same = calls.indexOf(call);
        if (same < 0) {
          same = calls.size();
          calls.add(call);
          fields.add(Field.nullable("$" + call.function() + (first + same), call.resultType()));
        }
        positions.put(all.get(from).getKey(), first + same);
      }
      node = Window.of(node, place.partitionKeys(), place.orderKeys(), calls, fields);
    }
    List<RelDataType> types = Rewriting.types(node);
    List<RexNode> replaced =
        outputs.stream().map(output -> replace(output, positions, types)).toList();
    return new Result(node, replaced);
  }

  private RelNode base() {
    if (columns.size() == inputTypes.size()) {
      return input;
    }
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    while (names.size() < columns.size()) {
      names.add("$window" + names.size());
    }
    return Rewriting.project(input, columns, names);
  }

  private RexNode replace(
      RexNode output, Map<RexOver, Integer> positions, List<RelDataType> types) {
    return output.accept(
        new RexShuttle() {
          @Override
          public RexNode visitOver(RexOver over) {
            int position = positions.get(over);
            RexNode reference = new RexInputRef(position, types.get(position));
            return binding.cast(reference, MillraceTypeFactory.dataType(over.getType()));
          }
        });
  }

  private void collect(RexNode output) {
    output.accept(
        new RexShuttle() {
          @Override
          public RexNode visitOver(RexOver over) {
            if (!extracted.containsKey(over)) {
              extracted.put(over, extracted(over));
            }
            return over;
          }
        });
  }

  private RexNode normalized(RexNode node) {
    return expressions.normalize(node, inputTypes);
  }

  private Extracted extracted(RexOver over) {
    List<Integer> partitionKeys =
        over.getWindow().partitionKeys.stream()
            .map(this::normalized)
            .filter(key -> !Literals.isConstant(key))
            .map(this::column)
            .distinct()
            .sorted()
            .toList();
    FunctionDefinition definition = definition(over);
    WindowFrames frames = new WindowFrames(binding, this::normalized);
    boolean framed = usesFrame(definition);
    List<RexNode> sortKeys = new ArrayList<>();
    for (RexFieldCollation key : over.getWindow().orderKeys) {
      sortKeys.add(normalized(key.left));
    }
    WindowFrames.Frame frame =
        framed ? frames.of(over.getWindow(), sortKeys) : WindowFrames.Frame.whole(sortKeys);
    List<OrderKey> orderKeys = new ArrayList<>();
    for (int index = 0; index < sortKeys.size(); index++) {
      addKey(
          frame.sortKeys().get(index),
          over.getWindow().orderKeys.get(index),
          partitionKeys,
          frame.hasValues(),
          orderKeys);
    }
    WindowFrame planned = frame.planned(this::part, orderKeys.isEmpty());
    WindowCall call = call(over, definition, planned);
    return new Extracted(new Place(partitionKeys, orderKeys), call, over.getType());
  }

  /** A key that is the same for all rows of a partition orders nothing. */
  private void addKey(
      RexNode value,
      RexFieldCollation collation,
      List<Integer> partitionKeys,
      boolean always,
      List<OrderKey> orderKeys) {
    if (Literals.isConstant(value) && !always) {
      return;
    }
    int column = column(value);
    boolean known =
        partitionKeys.contains(column)
            || orderKeys.stream().anyMatch(key -> key.column() == column);
    if (!known || always) {
      boolean descending = collation.getDirection() == RelFieldCollation.Direction.DESCENDING;
      boolean nullsFirst =
          switch (collation.getNullDirection()) {
            case FIRST -> true;
            case LAST -> false;
            case UNSPECIFIED -> descending;
          };
      orderKeys.add(new OrderKey(column, descending, nullsFirst));
    }
  }

  /** Where the normalized expression stands among the columns; it is added when it is not there. */
  private int column(RexNode node) {
    int known = columns.indexOf(node);
    if (known >= 0) {
      return known;
    }
    columns.add(node);
    return columns.size() - 1;
  }

  private PhysicalExpression part(RexNode node) {
    DataType type = MillraceTypeFactory.dataType(node.getType());
    return Literals.isConstant(node)
        ? new PhysicalExpression.Constant(Literals.value(node), type)
        : new PhysicalExpression.Input(column(node), type);
  }

  private FunctionDefinition definition(RexOver over) {
    if (over.getAggOperator() instanceof WindowOperator operator) {
      return operator.definition();
    }
    return binding.registry().require(OperatorNames.function(over.getAggOperator()));
  }

  private static boolean usesFrame(FunctionDefinition definition) {
    return switch (definition.name()) {
      case "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile" -> false;
      case "lag", "lead" -> false;
      default -> true;
    };
  }

  private WindowCall call(RexOver over, FunctionDefinition definition, WindowFrame frame) {
    List<RexNode> operands = new ArrayList<>();
    over.getOperands().forEach(operand -> operands.add(normalized(operand)));
    OptionalInt filter = OptionalInt.empty();
    if (over.getAggOperator() instanceof WindowOperator operator && operator.isFiltered()) {
      RexNode condition = operands.removeLast();
      filter = condition.isAlwaysTrue() ? OptionalInt.empty() : OptionalInt.of(column(condition));
    }
    boolean aggregate = definition.kind() == FunctionKind.AGGREGATE;
    boolean ignoresNulls =
        over.ignoreNulls()
            || over.getAggOperator() instanceof WindowOperator operator && operator.ignoresNulls();
    if (aggregate && ignoresNulls || over.isDistinct() && !aggregate) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "DISTINCT and FILTER stand in aggregates, IGNORE NULLS in other window functions: "
              + definition.name());
    }
    if (definition.name().equals("count") && operands.size() == 1 && !over.isDistinct()) {
      operands.removeIf(operand -> Literals.isConstant(operand) && !Literals.isNull(operand));
    }
    ResolvedFunction resolved =
        binding
            .registry()
            .resolve(
                definition.name(),
                Rewriting.dataTypes(operands),
                operands.stream().map(Literals::constant).toList());
    List<PhysicalExpression> arguments = new ArrayList<>();
    for (RexNode operand : operands) {
      DataType wanted = resolved.argumentTypes().get(arguments.size());
      // the value and the default of lag and lead
      boolean shifted = operands.size() == 3 && arguments.size() != 1 && !aggregate;
      RexNode cast = binding.cast(operand, shifted ? resolved.resultType() : wanted);
      arguments.add(part(normalized(cast)));
    }
    return new WindowCall(
        definition.name(),
        arguments,
        over.isDistinct(),
        ignoresNulls,
        filter,
        frame,
        resolved.resultType());
  }
}
