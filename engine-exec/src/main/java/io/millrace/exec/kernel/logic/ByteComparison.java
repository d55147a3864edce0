package io.millrace.exec.kernel.logic;

import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.TextLane;
import io.millrace.exec.kernel.string.ByteStrings;
import java.lang.foreign.MemorySegment;

/** Comparison of text (by code point), binary and identifiers: by unsigned bytes. */
final class ByteComparison extends BlockKernel {
  private final Relation relation;
  private final TextLane left;
  private final TextLane right;
  private final byte[] truths;

  ByteComparison(Relation relation) {
    this(relation, new TextLane(), new TextLane(), new BooleanOutput());
  }

  private ByteComparison(Relation relation, TextLane left, TextLane right, BooleanOutput output) {
    super(output, left, right);
    this.relation = relation;
    this.left = left;
    this.right = right;
    this.truths = output.values();
  }

  @Override
  protected boolean compute(int count) {
    switch (relation) {
      case EQUAL -> equal(1, count);
      case NOT_EQUAL -> equal(0, count);
      case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> order(count);
    }
    return false;
  }

  private void equal(int whenTrue, int count) {
    int opposite = 1 - whenTrue;
    MemorySegment first = left.data();
    MemorySegment second = right.data();
    int[] firstStarts = left.starts();
    int[] firstLengths = left.lengths();
    int[] secondStarts = right.starts();
    int[] secondLengths = right.lengths();
    for (int lane = 0; lane < count; lane++) {
      int length = firstLengths[lane];
      boolean same =
          length == secondLengths[lane]
              && ByteStrings.equal(first, firstStarts[lane], second, secondStarts[lane], length);
      truths[lane] = (byte) (same ? whenTrue : opposite);
    }
  }

  private void order(int count) {
    MemorySegment first = left.data();
    MemorySegment second = right.data();
    int[] firstStarts = left.starts();
    int[] firstLengths = left.lengths();
    int[] secondStarts = right.starts();
    int[] secondLengths = right.lengths();
    for (int lane = 0; lane < count; lane++) {
      int order =
          ByteStrings.compare(
              first,
              firstStarts[lane],
              firstLengths[lane],
              second,
              secondStarts[lane],
              secondLengths[lane]);
      truths[lane] = (byte) (relation.holds(order) ? 1 : 0);
    }
  }
}
