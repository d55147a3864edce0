package io.millrace.planner.logical;

import com.google.common.collect.ImmutableList;
import java.util.Set;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.MetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.SqlExplainLevel;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The few facts that Calcite's converter and decorrelation ask for, answered by plain code.
 * Calcite's own handlers are compiled when first asked, which costs seconds at start-up.
 */
final class PlainMetadata extends RelMetadataQuery {

  PlainMetadata() {
    super(new NoHandlers());
  }

  /** No handler is ever called: the questions are answered here. */
  private static final class NoHandlers implements MetadataHandlerProvider {
    @Override
    public <H extends MetadataHandler<?>> H handler(Class<H> handlerClass) {
      return null;
    }
  }

  @Override
  public Boolean isVisibleInExplain(RelNode node, SqlExplainLevel level) {
    return true;
  }

  @Override
  public Double getRowCount(RelNode node) {
    return node.estimateRowCount(this);
  }

  @Override
  public Double getMaxRowCount(RelNode node) {
    return switch (node) {
      case Values values -> (double) values.tuples.size();
      case Aggregate aggregate when aggregate.getGroupSet().isEmpty() -> 1.0;
      case Sort sort -> least(fetched(sort), getMaxRowCount(sort.getInput()));
      case Project project -> getMaxRowCount(project.getInput());
      case Filter filter -> getMaxRowCount(filter.getInput());
      case Window window -> getMaxRowCount(window.getInput());
      case UdfCall call -> getMaxRowCount(call.getInput());
      default -> Double.POSITIVE_INFINITY;
    };
  }

  private static Double fetched(Sort sort) {
    return sort.fetch instanceof RexLiteral literal
        ? literal.getValueAs(java.math.BigDecimal.class).doubleValue()
        : Double.POSITIVE_INFINITY;
  }

  private static Double least(Double left, Double right) {
    return Math.min(left, right);
  }

  @Override
  public Double getMinRowCount(RelNode node) {
    return node instanceof Aggregate aggregate && aggregate.getGroupSet().isEmpty() ? 1.0 : 0.0;
  }

  @Override
  public Boolean areColumnsUnique(RelNode node, ImmutableBitSet columns, boolean ignoreNulls) {
    if (getMaxRowCount(node) <= 1) {
      return true;
    }
    return node instanceof Aggregate aggregate
        && columns.contains(ImmutableBitSet.range(aggregate.getGroupCount()));
  }

  @Override
  public Boolean areColumnsUnique(RelNode node, ImmutableBitSet columns) {
    return areColumnsUnique(node, columns, false);
  }

  @Override
  public Boolean areRowsUnique(RelNode node, boolean ignoreNulls) {
    return areColumnsUnique(
        node, ImmutableBitSet.range(node.getRowType().getFieldCount()), ignoreNulls);
  }

  @Override
  public Set<ImmutableBitSet> getUniqueKeys(RelNode node, boolean ignoreNulls) {
    return node instanceof Aggregate aggregate
        ? Set.of(ImmutableBitSet.range(aggregate.getGroupCount()))
        : Set.of();
  }

  @Override
  public RelOptPredicateList getPulledUpPredicates(RelNode node) {
    return RelOptPredicateList.EMPTY;
  }

  @Override
  public ImmutableList<RelCollation> collations(RelNode node) {
    return ImmutableList.of();
  }
}
