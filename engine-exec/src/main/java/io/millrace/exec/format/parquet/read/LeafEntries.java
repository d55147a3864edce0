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
    return leaf.maximumDefinition() == 0 ? 0 : definitions[entry];
  }

  int repetition(int entry) {
    return leaf.maximumRepetition() == 0 ? 0 : repetitions[entry];
  }

  /** Adds entries with their levels; a level array may be null when its levels are all zero. */
  void add(int[] definition, int[] repetition, int from, int added) {
    if (leaf.maximumDefinition() > 0) {
      definitions = roomFor(definitions, added);
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
