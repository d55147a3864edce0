package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.statistics.ColumnEstimate;
import io.millrace.planner.statistics.Estimate;
import io.millrace.planner.statistics.Estimates;
import io.millrace.planner.statistics.JoinEstimate;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The relations below a tree of inner joins with what connects them. Columns are counted through
 * all relations in the written order; sets of relations are bit masks.
 */
final class JoinGraph {
  /** Relations that fit in a mask. */
  static final int MOST_RELATIONS = 62;

  /** A condition that is no equality of two columns; applied where all its relations are joined. */
  record Condition(RexNode expression, long relations, double share) {}

  private final List<RelNode> relations = new ArrayList<>();
  private final List<Integer> firstColumns = new ArrayList<>();
  private final List<Estimate> estimates = new ArrayList<>();
  private final List<ColumnEstimate> columns = new ArrayList<>();
  private final List<ImmutableBitSet> classes = new ArrayList<>();
  private final List<Condition> conditions = new ArrayList<>();
  private long[] neighbours = {};

  private JoinGraph() {}

  /**
   * The graph of a join and the inner joins right below it.
   *
   * @return empty when there are too many relations
   */
  static Optional<JoinGraph> of(Join join, FunctionBinding binding, Estimates estimates) {
    List<RelNode> inputs = new ArrayList<>();
    List<RexNode> conjuncts = new ArrayList<>();
    flatten(join, 0, inputs, conjuncts);
    if (inputs.size() > MOST_RELATIONS) {
      return Optional.empty();
    }
    JoinGraph graph = new JoinGraph();
    graph.addRelations(inputs, graph.addClasses(conjuncts), binding, estimates);
    graph.connect();
    return Optional.of(graph);
  }

  private static void flatten(
      RelNode node, int firstColumn, List<RelNode> inputs, List<RexNode> conjuncts) {
    if (node instanceof Join join && join.getJoinType() == JoinRelType.INNER) {
      flatten(join.getLeft(), firstColumn, inputs, conjuncts);
      int right = firstColumn + join.getLeft().getRowType().getFieldCount();
      flatten(join.getRight(), right, inputs, conjuncts);
      for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
        conjuncts.add(Rewriting.moved(conjunct, column -> column + firstColumn));
      }
    } else {
      inputs.add(node);
    }
  }

  /** Sets of columns that are equal in every result row; gives back the other conjuncts. */
  private List<RexNode> addClasses(List<RexNode> conjuncts) {
    List<RexNode> others = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      if (isColumnEquality(conjunct)) {
        ImmutableBitSet equal = Rewriting.columnsOf(conjunct);
        for (ImmutableBitSet known : List.copyOf(classes)) {
          if (known.intersects(equal)) {
            equal = equal.union(known);
            classes.remove(known);
          }
        }
        classes.add(equal);
      } else {
        others.add(conjunct);
      }
    }
    return others;
  }

  /** Whether two different columns of one type must be equal. */
  static boolean isColumnEquality(RexNode conjunct) {
    if (conjunct.getKind() != SqlKind.EQUALS) {
      return false;
    }
    RexNode first = ((RexCall) conjunct).getOperands().getFirst();
    RexNode second = ((RexCall) conjunct).getOperands().getLast();
    return first instanceof RexInputRef
        && second instanceof RexInputRef
        && !first.equals(second)
        && MillraceTypeFactory.dataType(first.getType())
            .equals(MillraceTypeFactory.dataType(second.getType()));
  }

  private void addRelations(
      List<RelNode> inputs, List<RexNode> others, FunctionBinding binding, Estimates all) {
    int next = 0;
    for (RelNode input : inputs) {
      RelNode relation = withOwnEqualities(input, next, binding);
      relations.add(relation);
      firstColumns.add(next);
      Estimate estimate = all.of(relation);
      estimates.add(estimate);
      columns.addAll(estimate.columns());
      next += input.getRowType().getFieldCount();
    }
    for (RexNode other : others) {
      long mask = FunctionBinding.isVolatile(other) ? all() : mask(Rewriting.columnsOf(other));
      conditions.add(
          new Condition(other, mask == 0 ? all() : mask, Estimates.share(other, columns)));
    }
  }

  /** Columns of one relation that other relations' columns make equal are compared at once. */
  private RelNode withOwnEqualities(RelNode input, int first, FunctionBinding binding) {
    ImmutableBitSet own = ImmutableBitSet.range(first, first + input.getRowType().getFieldCount());
    List<RexNode> equalities = new ArrayList<>();
    List<RexNode> all = Rewriting.allColumns(input);
    for (ImmutableBitSet equal : classes) {
      List<Integer> here = equal.intersect(own).asList();
      for (int index = 1; index < here.size(); index++) {
        RexNode left = all.get(here.getFirst() - first);
        equalities.add(binding.call("eq", List.of(left, all.get(here.get(index) - first))));
      }
    }
    return Rewriting.filter(input, equalities);
  }

  private void connect() {
    neighbours = new long[relations.size()];
    for (ImmutableBitSet equal : classes) {
      long mask = mask(equal);
      for (int relation = 0; relation < neighbours.length; relation++) {
        if ((mask & bit(relation)) != 0) {
          neighbours[relation] |= mask & ~bit(relation);
        }
      }
    }
    for (Condition condition : conditions) {
      connectByExpressions(condition);
    }
  }

  /** An equality of expressions over two relations is a join's key too. */
  private void connectByExpressions(Condition condition) {
    if (condition.expression().getKind() != SqlKind.EQUALS) {
      return;
    }
    RexCall call = (RexCall) condition.expression();
    long left = mask(Rewriting.columnsOf(call.getOperands().getFirst()));
    long right = mask(Rewriting.columnsOf(call.getOperands().getLast()));
    if (Long.bitCount(left) == 1 && Long.bitCount(right) == 1 && left != right) {
      neighbours[Long.numberOfTrailingZeros(left)] |= right;
      neighbours[Long.numberOfTrailingZeros(right)] |= left;
    }
  }

  int size() {
    return relations.size();
  }

  int columnCount() {
    return columns.size();
  }

  long all() {
    return relations.isEmpty() ? 0 : -1L >>> (Long.SIZE - relations.size());
  }

  RelNode relation(int index) {
    return relations.get(index);
  }

  Estimate estimate(int index) {
    return estimates.get(index);
  }

  /** Columns of one relation. */
  ImmutableBitSet columns(int index) {
    int first = firstColumns.get(index);
    return ImmutableBitSet.range(first, first + relations.get(index).getRowType().getFieldCount());
  }

  /** Sets of equal columns. */
  List<ImmutableBitSet> classes() {
    return classes;
  }

  List<Condition> conditions() {
    return conditions;
  }

  static long bit(int relation) {
    return 1L << relation;
  }

  /** Whether an equality leads from one set to the other. */
  boolean isConnected(long left, long right) {
    for (long rest = left; rest != 0; rest &= rest - 1) {
      if ((neighbours[Long.numberOfTrailingZeros(rest)] & right) != 0) {
        return true;
      }
    }
    return false;
  }

  long mask(ImmutableBitSet read) {
    long mask = 0;
    for (int column : read) {
      mask |= bit(relationOf(column));
    }
    return mask;
  }

  int relationOf(int column) {
    int relation = relations.size() - 1;
    while (firstColumns.get(relation) > column) {
      relation--;
    }
    return relation;
  }

  /**
   * The column of the class that a set of relations compares: the one with the fewest values.
   *
   * @return −1 when the set has none
   */
  int columnIn(ImmutableBitSet equal, long set) {
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int column : equal) {
      if ((set & bit(relationOf(column))) != 0) {
        double domain = columns.get(column).domain().orElse(Double.MAX_VALUE);
        if (domain < least) {
          best = column;
          least = domain;
        }
      }
    }
    return best;
  }

  /** Of so many pairs of rows of the two sets one is in the result. */
  double pairs(long left, long right, Estimate leftRows, Estimate rightRows) {
    List<JoinEstimate.Key> keys = new ArrayList<>();
    for (ImmutableBitSet equal : classes) {
      int leftColumn = columnIn(equal, left);
      int rightColumn = columnIn(equal, right);
      if (leftColumn >= 0 && rightColumn >= 0) {
        keys.add(new JoinEstimate.Key(columns.get(leftColumn), columns.get(rightColumn)));
      }
    }
    double pairs = JoinEstimate.pairs(keys, leftRows, rightRows);
    for (Condition condition : conditions) {
      if (isApplied(condition, left, right)) {
        pairs /= condition.share();
      }
    }
    return pairs;
  }

  /** Whether a condition can be told for the first time when the two sets are joined. */
  static boolean isApplied(Condition condition, long left, long right) {
    long needed = condition.relations();
    return (needed & ~(left | right)) == 0 && (needed & ~left) != 0 && (needed & ~right) != 0;
  }

  /** What a join of the two sets compares, over the columns of all relations. */
  List<RexNode> condition(long left, long right, FunctionBinding binding, List<RexNode> all) {
    List<RexNode> conjuncts = new ArrayList<>();
    for (ImmutableBitSet equal : classes) {
      int leftColumn = columnIn(equal, left);
      int rightColumn = columnIn(equal, right);
      if (leftColumn >= 0 && rightColumn >= 0) {
        conjuncts.add(binding.call("eq", List.of(all.get(leftColumn), all.get(rightColumn))));
      }
    }
    for (Condition condition : conditions) {
      if (isApplied(condition, left, right)) {
        conjuncts.add(condition.expression());
      }
    }
    return conjuncts;
  }
}
