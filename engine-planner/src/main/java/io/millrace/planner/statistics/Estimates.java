package io.millrace.planner.statistics;

import io.millrace.core.spi.TableStatistics;
import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.logical.InlineRows;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.SourceScan;
import io.millrace.planner.type.MillraceTypeFactory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * How many rows and bytes nodes give, and what their columns hold, as far as statistics say. Each
 * node is looked at once. Not safe for use by several threads; made for one query.
 */
public final class Estimates {
  /** Of a table that says nothing of its size, so that joins of such tables still have an order. */
  private static final double ASSUMED_ROWS = 1_000_000;

  private static final double ASSUMED_ROW_BYTES = 64;
  private static final double GROUPS_SHARE = 0.1;
  private static final int COUNTED_ROWS = 1_000;

  private final boolean useStatistics;
  private final Map<RelNode, Estimate> known = new IdentityHashMap<>();

  /**
   * @param useStatistics false to plan as if no table knew anything of itself
   */
  public Estimates(boolean useStatistics) {
    this.useStatistics = useStatistics;
  }

  /** Expected rows; empty when no statistics stand behind the number. */
  public OptionalDouble rows(RelNode node) {
    Estimate estimate = of(node);
    return estimate.isKnown() ? OptionalDouble.of(estimate.rows()) : OptionalDouble.empty();
  }

  /** Expected bytes of all rows in memory; empty when the rows are not known. */
  public OptionalDouble bytes(RelNode node) {
    Estimate estimate = of(node);
    return estimate.isKnown()
        ? OptionalDouble.of(estimate.rows() * rowBytes(node))
        : OptionalDouble.empty();
  }

  /** Expected bytes of one row in memory. */
  public double rowBytes(RelNode node) {
    Estimate estimate = of(node);
    Schema schema = MillraceTypeFactory.schema(node.getRowType());
    double width = 0;
    for (int column = 0; column < schema.size(); column++) {
      double own = TypeWidth.of(schema.field(column).type());
      OptionalDouble stored = estimate.columns().get(column).bytes();
      width += TypeWidth.isVariable(schema.field(column).type()) ? stored.orElse(own) : own;
    }
    return width;
  }

  /** What is expected of the node. */
  public Estimate of(RelNode node) {
    Estimate found = known.get(node);
    if (found == null) {
      found = estimate(node);
      known.put(node, found);
    }
    return found;
  }

  /** The share of rows with such columns for which the condition is true. */
  public static double share(RexNode condition, List<ColumnEstimate> columns) {
    return new Selectivity(columns).share(condition);
  }

  private Estimate estimate(RelNode node) {
    return switch (node) {
      case SourceScan scan -> scanned(scan);
      case InlineRows inline -> inline(inline);
      case Values values -> unknownColumns(values, values.getTuples().size(), true);
      case Filter filter -> {
        Estimate input = of(filter.getInput());
        yield new Selectivity(input.columns())
            .filtered(input, RelOptUtil.conjunctions(filter.getCondition()));
      }
      case Project project -> projected(project);
      case Join join -> JoinEstimate.of(join, of(join.getLeft()), of(join.getRight()));
      case Aggregate aggregate -> aggregated(aggregate);
      case Sort sort -> limited(sort);
      case Union union -> united(union);
      default -> other(node);
    };
  }

  private Estimate scanned(SourceScan scan) {
    TableStatistics statistics =
        useStatistics ? scan.table().statistics() : TableStatistics.UNKNOWN;
    double rows = ASSUMED_ROWS;
    boolean isKnown = statistics.rowCount().isPresent();
    if (isKnown) {
      rows = statistics.rowCount().getAsLong();
    } else if (statistics.bytes().isPresent()) {
      rows = Math.max(1, statistics.bytes().getAsLong() / ASSUMED_ROW_BYTES);
    }
    List<ColumnEstimate> all = new ArrayList<>();
    for (Field field : scan.table().schema().fields()) {
      ColumnStatistics column = statistics.columns().get(field.name());
      all.add(
          column == null || !isKnown
              ? ColumnEstimate.UNKNOWN
              : ColumnEstimate.of(column, rows, ValuePosition.isDiscrete(field.type())));
    }
    Estimate table = new Estimate(rows, rows, isKnown, all);
    Estimate filtered = new Selectivity(all).filtered(table, scan.filters());
    double wanted =
        scan.limit().isPresent()
            ? Math.min(filtered.rows(), scan.limit().getAsLong())
            : filtered.rows();
    List<ColumnEstimate> columns = new ArrayList<>();
    for (int column = 0; column < scan.columns().size(); column++) {
      columns.add(
          scan.isReference(column)
              ? ColumnEstimate.UNKNOWN
              : filtered.columns().get(scan.columns().get(column).tableColumn()));
    }
    return new Estimate(filtered.rows(), rows, isKnown, columns).withRows(wanted);
  }

  private static Estimate inline(InlineRows rows) {
    int count = rows.rows().size();
    if (count > COUNTED_ROWS) {
      return unknownColumns(rows, count, true);
    }
    List<ColumnEstimate> columns = new ArrayList<>();
    for (int column = 0; column < rows.schema().size(); column++) {
      Set<Object> values = new HashSet<>();
      for (List<Object> row : rows.rows()) {
        values.add(row.get(column));
      }
      columns.add(ColumnEstimate.ofDistinct(values.size()));
    }
    return new Estimate(count, count, true, columns);
  }

  private Estimate projected(Project project) {
    Estimate input = of(project.getInput());
    List<ColumnEstimate> columns = new ArrayList<>();
    for (RexNode expression : project.getProjects()) {
      OptionalInt column = Selectivity.column(expression);
      if (column.isPresent()) {
        columns.add(input.columns().get(column.getAsInt()));
      } else if (Literals.isConstant(expression)) {
        columns.add(ColumnEstimate.constant(ValuePosition.of(Literals.value(expression))));
      } else {
        columns.add(computed(expression, input));
      }
    }
    return new Estimate(input.rows(), input.storedRows(), input.isKnown(), columns);
  }

  /** A function has at most as many results as its columns have combinations. */
  private static ColumnEstimate computed(RexNode expression, Estimate input) {
    double combinations = 1;
    for (int column : RelOptUtil.InputFinder.bits(expression)) {
      OptionalDouble distinct = input.columns().get(column).distinct();
      if (distinct.isEmpty()) {
        return ColumnEstimate.UNKNOWN;
      }
      combinations *= distinct.getAsDouble();
    }
    return ColumnEstimate.ofDistinct(Math.min(combinations, Math.max(1, input.rows())));
  }

  private Estimate aggregated(Aggregate aggregate) {
    Estimate input = of(aggregate.getInput());
    List<Integer> keys = aggregate.getGroupSet().asList();
    double groups = keys.isEmpty() ? 1 : groups(input, keys);
    List<ColumnEstimate> columns = new ArrayList<>();
    keys.forEach(key -> columns.add(input.columns().get(key).thinned(input.rows(), groups)));
    columns.addAll(
        Collections.nCopies(
            aggregate.getRowType().getFieldCount() - keys.size(), ColumnEstimate.UNKNOWN));
    int sets = Math.max(1, aggregate.getGroupSets().size());
    double stored = 1;
    for (int key : keys) {
      stored *= Math.max(1, input.columns().get(key).domain().orElse(input.storedRows()));
    }
    return new Estimate(
        groups * sets,
        Math.max(groups, Math.min(stored, input.storedRows())),
        input.isKnown() || keys.isEmpty(),
        columns);
  }

  /** The combinations of the keys' values, as many as the rows can hold. */
  private static double groups(Estimate input, List<Integer> keys) {
    double combinations = 1;
    boolean allKnown = true;
    for (int key : keys) {
      OptionalDouble distinct = input.columns().get(key).distinct();
      allKnown &= distinct.isPresent();
      combinations *= Math.max(1, distinct.orElse(1));
    }
    if (!allKnown) {
      combinations = Math.max(combinations, input.rows() * GROUPS_SHARE);
    }
    double rows = Math.max(1, input.rows());
    // of many more combinations than rows nearly each row has its own
    return Math.clamp(combinations * (1 - Math.exp(-rows / combinations)), 1, rows);
  }

  private Estimate limited(Sort sort) {
    Estimate input = of(sort.getInput());
    if (!(sort.fetch instanceof RexLiteral limit)) {
      return input;
    }
    double most = limit.getValueAs(BigDecimal.class).doubleValue();
    return input.isKnown()
        ? input.withRows(Math.min(most, input.rows()))
        : new Estimate(most, most, true, input.columns());
  }

  private Estimate united(Union union) {
    double rows = 0;
    boolean isKnown = true;
    for (RelNode input : union.getInputs()) {
      Estimate estimate = of(input);
      rows += estimate.rows();
      isKnown &= estimate.isKnown();
    }
    return unknownColumns(union, rows, isKnown);
  }

  /** A node of one input that is not known keeps its rows; columns that it passes on are known. */
  private Estimate other(RelNode node) {
    int count = node.getRowType().getFieldCount();
    if (node.getInputs().size() != 1) {
      double rows = ASSUMED_ROWS;
      for (RelNode input : node.getInputs()) {
        rows = Math.max(rows, of(input).rows());
      }
      return unknownColumns(node, rows, false);
    }
    RelNode child = node.getInput(0);
    Estimate input = of(child);
    ColumnEstimate[] columns = new ColumnEstimate[count];
    Arrays.fill(columns, ColumnEstimate.UNKNOWN);
    int shared = Math.min(count, input.columns().size());
    for (int column = 0; column < shared; column++) {
      boolean passed =
          node.getRowType()
              .getFieldList()
              .get(column)
              .getType()
              .equals(child.getRowType().getFieldList().get(column).getType());
      columns[column] = passed ? input.columns().get(column) : ColumnEstimate.UNKNOWN;
    }
    return new Estimate(input.rows(), input.storedRows(), input.isKnown(), List.of(columns));
  }

  private static Estimate unknownColumns(RelNode node, double rows, boolean isKnown) {
    return new Estimate(
        rows,
        rows,
        isKnown,
        Collections.nCopies(node.getRowType().getFieldCount(), ColumnEstimate.UNKNOWN));
  }
}
