package io.millrace.exec.format.parquet.read;

import java.util.Arrays;

/**
 * What a leaf's pages hold for some rows: its levels, entry by entry, and its values.
 *
 * <p>Levels that are all zero are not kept.
 */
final class LeafEntries implements AutoCloseable {
  private final LeafColumn leaf;
  private final DenseValues values;
  private int[] definitions = new int[0];
  private int[] repetitions = new int[0];
  private int count;

  /** Then no definition levels are kept. */
  private boolean allDefined = true;

  LeafEntries(LeafColumn leaf, DenseValues values) {
    this.leaf = leaf;
    this.values = values;
  }

  DenseValues values() {
    return values;
  }

  /** Number of entries. */
  int count() {
    return count;
  }

  int definition(int entry) {
    return allDefined ? leaf.maximumDefinition() : definitions[entry];
  }

  int repetition(int entry) {
    return leaf.maximumRepetition() == 0 ? 0 : repetitions[entry];
  }

  /** Whether every entry is one value that is there. */
  boolean isPlain() {
    return allDefined && leaf.maximumRepetition() == 0;
  }

  /** Adds entries of a leaf outside of lists that all have a value. */
  void addDefined(int added) {
    if (!allDefined) {
      definitions = roomFor(definitions, added);
      Arrays.fill(definitions, count, count + added, leaf.maximumDefinition());
    }
    count += added;
  }

  /** Adds entries with their levels; a level array may be anything when its levels are all zero. */
  void add(int[] definition, int[] repetition, int from, int added) {
    if (leaf.maximumDefinition() > 0) {
      definitions = roomFor(definitions, added);
      if (allDefined) {
        Arrays.fill(definitions, 0, count, leaf.maximumDefinition());
        allDefined = false;
      }
      System.arraycopy(definition, from, definitions, count, added);
    }
    if (leaf.maximumRepetition() > 0) {
      repetitions = roomFor(repetitions, added);
      System.arraycopy(repetition, from, repetitions, count, added);
    }
    count += added;
  }

  private int[] roomFor(int[] levels, int added) {
    return levels.length >= count + added
        ? levels
        : Arrays.copyOf(levels, Math.max(count + added, 2 * levels.length));
  }

  @Override
  public void close() {
    values.close();
  }
}
