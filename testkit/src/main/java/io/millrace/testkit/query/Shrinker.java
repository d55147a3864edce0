package io.millrace.testkit.query;

import java.util.Iterator;
import java.util.function.Predicate;

/** Makes a failing query smaller while it still fails. */
public final class Shrinker {
  private final Predicate<RandomQuery> fails;
  private int triesLeft;

  /**
   * @param tryLimit how many queries may be run
   */
  public Shrinker(Predicate<RandomQuery> fails, int tryLimit) {
    this.fails = fails;
    this.triesLeft = tryLimit;
  }

  /** A query no smaller variant of which was found to fail within the limit. */
  public RandomQuery shrink(RandomQuery failing) {
    RandomQuery smallest = failing;
    boolean found = true;
    while (found) {
      found = false;
      Iterator<RandomQuery> candidates = smallest.smaller().iterator();
      while (!found && candidates.hasNext() && triesLeft > 0) {
        RandomQuery candidate = candidates.next();
        triesLeft--;
        if (candidate.sql().length() < smallest.sql().length() && fails.test(candidate)) {
          smallest = candidate;
          found = true;
        }
      }
    }
    return smallest;
  }
}
