package io.millrace.planner.logical;

import io.millrace.core.spi.TableStatistics;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.type.MillraceTypeFactory;
import java.math.BigDecimal;
import java.util.OptionalDouble;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * How many rows and bytes a node gives, as far as statistics say; empty when they say nothing. The
 * shares below are the usual guesses for conditions without statistics.
 */
public final class RowEstimates {
  private static final double EQUAL_SHARE = 0.1;
  private static final double RANGE_SHARE = 0.33;
  private static final double OTHER_SHARE = 0.25;
  private static final double GROUPS_SHARE = 0.1;
  private static final double VARIABLE_WIDTH_BYTES = 24;

  private RowEstimates() {}

  /** Estimated rows. */
  public static OptionalDouble rows(RelNode node) {
    return switch (node) {
      case SourceScan scan -> scanned(scan);
      case InlineRows inline -> OptionalDouble.of(inline.rows().size());
      case Values values -> OptionalDouble.of(values.getTuples().size());
      case Filter filter -> times(rows(filter.getInput()), share(filter.getCondition()));
      case Join join -> joined(join);
      case Aggregate aggregate ->
          aggregate.getGroupSet().isEmpty()
              ? OptionalDouble.of(1)
              : times(rows(aggregate.getInput()), GROUPS_SHARE);
      case Sort sort when sort.fetch instanceof RexLiteral limit -> limited(sort, limit);
      case Union union -> sum(union);
      default -> node.getInputs().size() == 1 ? rows(node.getInput(0)) : OptionalDouble.empty();
    };
  }

  /** Estimated bytes of all rows in memory. */
  public static OptionalDouble bytes(RelNode node) {
    return times(rows(node), width(node));
  }

  private static OptionalDouble scanned(SourceScan scan) {
    TableStatistics statistics = scan.table().statistics();
    if (statistics.rowCount().isEmpty()) {
      return OptionalDouble.empty();
    }
    double rows = statistics.rowCount().getAsLong();
    for (RexNode filter : scan.filters()) {
      rows *= share(filter);
    }
    return OptionalDouble.of(
        scan.limit().isPresent() ? Math.min(rows, scan.limit().getAsLong()) : rows);
  }

  /**
   * Each row of the larger side finds about one partner on the other, unless a filter there dropped
   * it: keys are taken to be unique on the smaller side.
   */
  private static OptionalDouble joined(Join join) {
    OptionalDouble left = rows(join.getLeft());
    OptionalDouble right = rows(join.getRight());
    return switch (join.getJoinType()) {
      case SEMI -> times(left, keptShare(join.getRight()));
      case ANTI, LEFT_MARK, LEFT, ASOF, LEFT_ASOF -> left;
      case RIGHT -> right;
      case INNER ->
          left.isPresent() && right.isPresent()
              ? OptionalDouble.of(
                  left.getAsDouble() >= right.getAsDouble()
                      ? left.getAsDouble() * keptShare(join.getRight())
                      : right.getAsDouble() * keptShare(join.getLeft()))
              : OptionalDouble.empty();
      case FULL ->
          left.isPresent() && right.isPresent()
              ? OptionalDouble.of(Math.max(left.getAsDouble(), right.getAsDouble()))
              : OptionalDouble.empty();
    };
  }

  /** The share of the stored rows behind a node that its filters keep; 1 when it is not known. */
  public static double keptShare(RelNode node) {
    OptionalDouble kept = rows(node);
    OptionalDouble stored = storedRows(node);
    return kept.isPresent() && stored.isPresent() && stored.getAsDouble() > 0
        ? Math.min(1, kept.getAsDouble() / stored.getAsDouble())
        : 1;
  }

  private static OptionalDouble storedRows(RelNode node) {
    return switch (node) {
      case SourceScan scan ->
          scan.table().statistics().rowCount().isPresent()
              ? OptionalDouble.of(scan.table().statistics().rowCount().getAsLong())
              : OptionalDouble.empty();
      case Filter filter -> storedRows(filter.getInput());
      case Project project -> storedRows(project.getInput());
      case Join join when join.getJoinType() == JoinRelType.INNER -> {
        OptionalDouble left = storedRows(join.getLeft());
        OptionalDouble right = storedRows(join.getRight());
        yield left.isPresent() && right.isPresent()
            ? OptionalDouble.of(Math.max(left.getAsDouble(), right.getAsDouble()))
            : OptionalDouble.empty();
      }
      default -> rows(node);
    };
  }

  private static OptionalDouble limited(Sort sort, RexLiteral limit) {
    double most = limit.getValueAs(BigDecimal.class).doubleValue();
    OptionalDouble input = rows(sort.getInput());
    return OptionalDouble.of(input.isPresent() ? Math.min(most, input.getAsDouble()) : most);
  }

  private static OptionalDouble sum(Union union) {
    double sum = 0;
    for (RelNode input : union.getInputs()) {
      OptionalDouble rows = rows(input);
      if (rows.isEmpty()) {
        return rows;
      }
      sum += rows.getAsDouble();
    }
    return OptionalDouble.of(sum);
  }

  private static OptionalDouble times(OptionalDouble rows, double factor) {
    return rows.isPresent() ? OptionalDouble.of(rows.getAsDouble() * factor) : rows;
  }

  /** The share of rows for which the condition is true. */
  static double share(RexNode condition) {
    if (!(condition instanceof RexCall call)) {
      return condition.isAlwaysTrue() ? 1 : OTHER_SHARE;
    }
    return switch (call.getKind()) {
      case AND ->
          call.getOperands().stream().mapToDouble(RowEstimates::share).reduce(1, (a, b) -> a * b);
      case OR -> Math.min(1, call.getOperands().stream().mapToDouble(RowEstimates::share).sum());
      case NOT -> 1 - share(call.getOperands().getFirst());
      case EQUALS, IS_NOT_DISTINCT_FROM, LIKE, IS_NULL -> EQUAL_SHARE;
      case NOT_EQUALS, IS_DISTINCT_FROM, IS_NOT_NULL -> 1 - EQUAL_SHARE;
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> RANGE_SHARE;
      default -> OTHER_SHARE;
    };
  }

  /** Bytes of a row. */
  private static double width(RelNode node) {
    Schema schema = MillraceTypeFactory.schema(node.getRowType());
    double width = 0;
    for (int column = 0; column < schema.size(); column++) {
      width += width(node, column, schema.field(column));
    }
    return width;
  }

  private static double width(RelNode node, int column, Field field) {
    if (node instanceof SourceScan scan) {
      int tableColumn = scan.columns().get(column).tableColumn();
      String name = scan.table().schema().field(tableColumn).name();
      TableStatistics.ColumnStatistics known = scan.table().statistics().columns().get(name);
      if (known != null && known.averageBytes().isPresent() && !scan.isReference(column)) {
        return known.averageBytes().getAsLong();
      }
    }
    return width(field.type());
  }

  private static double width(DataType type) {
    return switch (type) {
      case DataType.Bool unused -> 1;
      case DataType.Int integer -> integer.byteWidth();
      case DataType.Float number -> number.bits() / 8.0;
      case DataType.Decimal unused -> 16;
      case DataType.Date unused -> 4;
      case DataType.Time unused -> 8;
      case DataType.Timestamp unused -> 8;
      case DataType.Duration unused -> 8;
      case DataType.Interval unused -> 16;
      case DataType.Reference unused -> 8;
      case DataType.FixedBinary binary -> binary.byteWidth();
      case DataType.Embedding embedding -> embedding.length() * width(embedding.element());
      case DataType.FixedList list -> list.length() * width(list.element().type());
      case DataType.FixedShapeImage image -> image.sampleCount();
      case DataType.FixedShapeTensor tensor -> tensor.elementCount() * width(tensor.element());
      default -> VARIABLE_WIDTH_BYTES;
    };
  }
}
