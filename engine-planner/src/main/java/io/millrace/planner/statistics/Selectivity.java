package io.millrace.planner.statistics;

import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.OperatorNames;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * The share of rows for which a condition is true. Bounds and counts of different values are used
 * where they are known, the usual guesses elsewhere; conditions on different columns are taken as
 * independent.
 */
final class Selectivity {
  private static final double EQUAL_SHARE = 0.1;
  private static final double RANGE_SHARE = 0.33;
  private static final double COLUMNS_SHARE = 0.5;
  private static final double PATTERN_SHARE = 0.1;
  private static final double OTHER_SHARE = 0.25;
  private static final double LEAST_SHARE = 1e-9;

  private final List<ColumnEstimate> columns;

  Selectivity(List<ColumnEstimate> columns) {
    this.columns = columns;
  }

  /** An interval on one column, made from all comparisons with it. */
  private static final class Range {
    double lower = Double.NEGATIVE_INFINITY;
    double upper = Double.POSITIVE_INFINITY;
    int bounds;
  }

  /** The share that passes all conjuncts, and the columns of the rows that pass. */
  Estimate filtered(Estimate input, List<RexNode> conjuncts) {
    List<ColumnEstimate> left = new ArrayList<>(columns);
    double rows = input.rows() * conjunction(conjuncts, left);
    List<ColumnEstimate> thinned = new ArrayList<>();
    for (int column = 0; column < left.size(); column++) {
      ColumnEstimate own = left.get(column);
      boolean touched = !own.equals(columns.get(column));
      thinned.add(touched ? own : own.thinned(input.rows(), rows));
    }
    return new Estimate(rows, input.storedRows(), input.isKnown(), thinned);
  }

  double share(RexNode condition) {
    return conjunction(RelOptUtil.conjunctions(condition), new ArrayList<>(columns));
  }

  /** Ranges of one column are cut with each other before their share is told. */
  private double conjunction(List<RexNode> conjuncts, List<ColumnEstimate> left) {
    Map<Integer, Range> ranges = new HashMap<>();
    double share = 1;
    for (RexNode conjunct : conjuncts) {
      if (!addRange(conjunct, ranges)) {
        share *= single(conjunct, left);
      }
    }
    for (Map.Entry<Integer, Range> entry : ranges.entrySet()) {
      ColumnEstimate column = columns.get(entry.getKey());
      Range range = entry.getValue();
      share *= rangeShare(column, range);
      left.set(entry.getKey(), column.within(range.lower, range.upper));
    }
    return Math.max(LEAST_SHARE, share);
  }

  private static boolean addRange(RexNode conjunct, Map<Integer, Range> ranges) {
    boolean comparison =
        switch (conjunct.getKind()) {
          case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> true;
          default -> false;
        };
    if (!comparison) {
      return false;
    }
    List<RexNode> operands = ((RexCall) conjunct).getOperands();
    OptionalInt column = column(operands.getFirst());
    boolean reversed = column.isEmpty();
    RexNode bound = operands.get(reversed ? 0 : 1);
    if (reversed) {
      column = column(operands.getLast());
    }
    OptionalDouble position = position(bound);
    if (column.isEmpty() || position.isEmpty()) {
      return false;
    }
    boolean less =
        conjunct.getKind() == SqlKind.LESS_THAN || conjunct.getKind() == SqlKind.LESS_THAN_OR_EQUAL;
    Range range = ranges.computeIfAbsent(column.getAsInt(), unused -> new Range());
    range.bounds++;
    if (less != reversed) {
      range.upper = Math.min(range.upper, position.getAsDouble());
    } else {
      range.lower = Math.max(range.lower, position.getAsDouble());
    }
    return true;
  }

  private static double rangeShare(ColumnEstimate column, Range range) {
    if (column.minimum().isEmpty() || column.maximum().isEmpty()) {
      return Math.pow(RANGE_SHARE, Math.min(2, range.bounds));
    }
    double least = column.minimum().getAsDouble();
    double greatest = column.maximum().getAsDouble();
    double lower = Math.max(least, range.lower);
    double upper = Math.min(greatest, range.upper);
    double notNull = 1 - column.nullShare().orElse(0);
    if (lower > upper) {
      return LEAST_SHARE;
    }
    if (greatest == least) {
      return notNull;
    }
    double one =
        column.distinct().isPresent() ? 1 / Math.max(1, column.distinct().getAsDouble()) : 0;
    return notNull * Math.clamp((upper - lower) / (greatest - least), one, 1);
  }

  private double single(RexNode condition, List<ColumnEstimate> left) {
    if (condition instanceof RexInputRef) {
      return COLUMNS_SHARE;
    }
    if (!(condition instanceof RexCall call)) {
      return condition.isAlwaysTrue() ? 1 : LEAST_SHARE;
    }
    List<RexNode> operands = call.getOperands();
    return switch (call.getKind()) {
      case AND -> conjunction(operands, left);
      case OR -> disjunction(operands, left);
      case NOT -> 1 - share(operands.getFirst());
      case EQUALS, IS_NOT_DISTINCT_FROM -> equal(operands, left);
      case NOT_EQUALS, IS_DISTINCT_FROM -> 1 - equal(operands, new ArrayList<>(columns));
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          operands.stream().noneMatch(Literals::isConstant) ? COLUMNS_SHARE : RANGE_SHARE;
      case LIKE -> PATTERN_SHARE;
      case IS_NULL -> nullShare(operands.getFirst()).orElse(EQUAL_SHARE);
      case IS_NOT_NULL -> 1 - nullShare(operands.getFirst()).orElse(EQUAL_SHARE);
      default -> function(OperatorNames.function(call.getOperator()), operands);
    };
  }

  private double function(String name, List<RexNode> operands) {
    return switch (name) {
      case "not" -> 1 - share(operands.getFirst());
      case "like", "ilike", "starts_with", "ends_with", "contains", "regexp_like" -> PATTERN_SHARE;
      default -> OTHER_SHARE;
    };
  }

  private OptionalDouble nullShare(RexNode operand) {
    OptionalInt column = column(operand);
    return column.isPresent() ? columns.get(column.getAsInt()).nullShare() : OptionalDouble.empty();
  }

  /** Alternatives for one column add up; others overlap by chance. */
  private double disjunction(List<RexNode> operands, List<ColumnEstimate> left) {
    Set<Integer> tested = new HashSet<>();
    double sum = 0;
    double none = 1;
    boolean oneColumn = true;
    for (RexNode operand : operands) {
      double share = share(operand);
      sum += share;
      none *= 1 - Math.min(1, share);
      OptionalInt column = equalColumn(operand);
      oneColumn &= column.isPresent();
      column.ifPresent(tested::add);
    }
    if (oneColumn && tested.size() == 1) {
      int column = tested.iterator().next();
      left.set(column, columns.get(column).amongValues(operands.size()));
      return Math.min(1, sum);
    }
    return 1 - none;
  }

  private static OptionalInt equalColumn(RexNode operand) {
    if (operand.getKind() != SqlKind.EQUALS) {
      return OptionalInt.empty();
    }
    List<RexNode> sides = ((RexCall) operand).getOperands();
    if (Literals.isConstant(sides.getLast())) {
      return column(sides.getFirst());
    }
    return Literals.isConstant(sides.getFirst()) ? column(sides.getLast()) : OptionalInt.empty();
  }

  private double equal(List<RexNode> operands, List<ColumnEstimate> left) {
    OptionalInt first = column(operands.getFirst());
    OptionalInt second = column(operands.getLast());
    if (first.isPresent() && second.isPresent()) {
      double most =
          Math.max(
              columns.get(first.getAsInt()).distinct().orElse(1 / EQUAL_SHARE),
              columns.get(second.getAsInt()).distinct().orElse(1 / EQUAL_SHARE));
      return 1 / Math.max(1, most);
    }
    boolean constant = operands.stream().anyMatch(Literals::isConstant);
    if (!constant || first.isEmpty() && second.isEmpty()) {
      return EQUAL_SHARE;
    }
    int index = first.orElseGet(second::getAsInt);
    ColumnEstimate column = columns.get(index);
    OptionalDouble value = position(operands.get(first.isPresent() ? 1 : 0));
    if (value.isPresent()) {
      left.set(index, column.within(value.getAsDouble(), value.getAsDouble()));
      boolean outside =
          column.minimum().isPresent() && value.getAsDouble() < column.minimum().getAsDouble()
              || column.maximum().isPresent()
                  && value.getAsDouble() > column.maximum().getAsDouble();
      if (outside) {
        return LEAST_SHARE;
      }
    } else {
      left.set(index, column.amongValues(1));
    }
    return column.distinct().isPresent()
        ? (1 - column.nullShare().orElse(0)) / Math.max(1, column.distinct().getAsDouble())
        : EQUAL_SHARE;
  }

  private static OptionalDouble position(RexNode node) {
    return Literals.isConstant(node)
        ? ValuePosition.of(Literals.value(node))
        : OptionalDouble.empty();
  }

  /** The column that is read; a number cast to another type of number stays where it is. */
  static OptionalInt column(RexNode node) {
    return switch (node) {
      case RexInputRef reference -> OptionalInt.of(reference.getIndex());
      case RexCall call
          when call.getKind() == SqlKind.CAST
              && isNumber(call)
              && isNumber(call.getOperands().getFirst()) ->
          column(call.getOperands().getFirst());
      default -> OptionalInt.empty();
    };
  }

  private static boolean isNumber(RexNode node) {
    return MillraceTypeFactory.dataType(node.getType()).isNumeric();
  }
}
