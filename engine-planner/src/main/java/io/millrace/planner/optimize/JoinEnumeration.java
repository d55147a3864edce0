package io.millrace.planner.optimize;

import io.millrace.planner.statistics.Estimate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the cheapest tree of joins: all bushy trees of connected sets by dynamic programming while
 * the relations are few, otherwise the pair that gives the fewest rows, again and again. Sets that
 * nothing connects are joined last, small ones first.
 */
final class JoinEnumeration {
  /** About 30,000 pairs of sets. */
  private static final int MOST_EXHAUSTIVE = 10;

  /** A row in a hash table costs about as much as this many that look into it. */
  private static final double BUILD_COST = 2;

  /**
   * A tree of joins.
   *
   * @param rows estimate without columns
   * @param left null for a relation
   */
  record Tree(long set, Estimate rows, double cost, Tree left, Tree right) {
    boolean isRelation() {
      return left == null;
    }
  }

  private final JoinGraph graph;

  JoinEnumeration(JoinGraph graph) {
    this.graph = graph;
  }

  Tree best() {
    List<Tree> parts =
        graph.size() <= MOST_EXHAUSTIVE ? connectedParts() : merged(relations(), true);
    return merged(parts, false).getFirst();
  }

  private List<Tree> relations() {
    List<Tree> relations = new ArrayList<>();
    for (int relation = 0; relation < graph.size(); relation++) {
      Estimate own = graph.estimate(relation);
      Estimate rows = new Estimate(own.rows(), own.storedRows(), own.isKnown(), List.of());
      relations.add(new Tree(JoinGraph.bit(relation), rows, 0, null, null));
    }
    return relations;
  }

  /** The best tree of each set of relations that is connected within and to nothing else. */
  private List<Tree> connectedParts() {
    Map<Long, Tree> best = new HashMap<>();
    relations().forEach(relation -> best.put(relation.set(), relation));
    for (long set = 1; set <= graph.all(); set++) {
      if (Long.bitCount(set) < 2) {
        continue;
      }
      long lowest = Long.lowestOneBit(set);
      for (long part = (set - 1) & set; part != 0; part = (part - 1) & set) {
        Tree left = (part & lowest) == 0 ? null : best.get(part);
        Tree right = left == null ? null : best.get(set & ~part);
        if (right != null && graph.isConnected(part, right.set())) {
          Tree known = best.get(set);
          Tree made = joined(left, right, known == null ? null : known.rows());
          if (known == null || made.cost() < known.cost()) {
            best.put(set, made);
          }
        }
      }
    }
    return largest(best.values());
  }

  private static List<Tree> largest(Collection<Tree> trees) {
    return trees.stream()
        .filter(
            tree ->
                trees.stream()
                    .noneMatch(
                        other -> other.set() != tree.set() && (tree.set() & ~other.set()) == 0))
        .sorted(java.util.Comparator.comparingLong(Tree::set))
        .toList();
  }

  /** The larger side looks into a table of the smaller one. */
  private Tree joined(Tree left, Tree right, Estimate knownRows) {
    Estimate rows = knownRows == null ? rows(left, right) : knownRows;
    boolean swap = left.rows().rows() < right.rows().rows();
    Tree probe = swap ? right : left;
    Tree build = swap ? left : right;
    boolean keyed = graph.isConnected(left.set(), right.set());
    double own =
        keyed
            ? probe.rows().rows() + BUILD_COST * build.rows().rows() + rows.rows()
            : probe.rows().rows() * Math.max(1, build.rows().rows());
    double cost = left.cost() + right.cost() + own;
    return new Tree(left.set() | right.set(), rows, cost, probe, build);
  }

  private Estimate rows(Tree left, Tree right) {
    double pairs = graph.pairs(left.set(), right.set(), left.rows(), right.rows());
    return new Estimate(
        Math.max(1, left.rows().rows() * right.rows().rows() / pairs),
        Math.max(left.rows().storedRows(), right.rows().storedRows()),
        left.rows().isKnown() && right.rows().isKnown(),
        List.of());
  }

  /** Joins two trees after the other, the pair with the fewest rows first. */
  private List<Tree> merged(List<Tree> trees, boolean onlyConnected) {
    List<Tree> left = new ArrayList<>(trees);
    while (left.size() > 1) {
      Tree best = null;
      for (int first = 0; first < left.size(); first++) {
        for (int second = first + 1; second < left.size(); second++) {
          Tree one = left.get(first);
          Tree other = left.get(second);
          if (!onlyConnected || graph.isConnected(one.set(), other.set())) {
            Tree made = joined(one, other, null);
            best = best == null || made.rows().rows() < best.rows().rows() ? made : best;
          }
        }
      }
      if (best == null) {
        return left;
      }
      left.remove(best.left());
      left.remove(best.right());
      left.add(best);
    }
    return left;
  }
}
