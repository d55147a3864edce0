package io.millrace.exec.kernel.string;

import io.millrace.core.batch.Layouts;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A compiled LIKE pattern: pieces between the percent signs, each found as far left as possible;
 * the first stands at the start and the last at the end unless a percent sign is there.
 */
final class LikePattern {
  /**
   * Literal bytes, and code points of any kind.
   *
   * @param bytes the literal bytes; bytes at wildcards are 0
   * @param wild for each byte whether it stands for one code point of any width
   * @param points code points in all
   * @param plain whether it has no wildcard
   */
  private record Piece(byte[] bytes, boolean[] wild, int points, boolean plain) {
    int length() {
      return wild.length;
    }
  }

  private final List<Piece> pieces;
  private final boolean openStart;
  private final boolean openEnd;

  private LikePattern(List<Piece> pieces, boolean openStart, boolean openEnd) {
    this.pieces = pieces;
    this.openStart = openStart;
    this.openEnd = openEnd;
  }

  /**
   * Compiles a pattern.
   *
   * @param escape the code point after which a sign stands for itself; −1 for none
   * @throws MillraceException INVALID_ARGUMENT when the pattern ends with the escape
   */
  static LikePattern compile(String pattern, int escape) {
    List<Piece> pieces = new ArrayList<>();
    PieceBuilder builder = new PieceBuilder();
    int[] points = pattern.codePoints().toArray();
    boolean lastIsPercent = false;
    for (int index = 0; index < points.length; index++) {
      int point = points[index];
      lastIsPercent = false;
      if (point == escape) {
        if (++index == points.length) {
          throw new MillraceException(
              ErrorCode.INVALID_ARGUMENT, "A LIKE pattern ends with its escape: " + pattern);
        }
        builder.literal(points[index]);
      } else if (point == '%') {
        lastIsPercent = true;
        builder.finish(pieces);
      } else if (point == '_') {
        builder.wildcard();
      } else {
        builder.literal(point);
      }
    }
    builder.finish(pieces);
    return new LikePattern(
        pieces, points.length > 0 && points[0] == '%' && escape != '%', lastIsPercent);
  }

  private static final class PieceBuilder {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Boolean> wild = new ArrayList<>();
    private int points;

    void literal(int point) {
      byte[] encoded = Character.toString(point).getBytes(StandardCharsets.UTF_8);
      bytes.writeBytes(encoded);
      for (int index = 0; index < encoded.length; index++) {
        wild.add(false);
      }
      points++;
    }

    void wildcard() {
      bytes.write(0);
      wild.add(true);
      points++;
    }

    void finish(List<Piece> pieces) {
      if (!wild.isEmpty()) {
        boolean[] flags = new boolean[wild.size()];
        for (int index = 0; index < flags.length; index++) {
          flags[index] = wild.get(index);
        }
        pieces.add(new Piece(bytes.toByteArray(), flags, points, !wild.contains(true)));
      }
      bytes.reset();
      wild.clear();
      points = 0;
    }
  }

  /** Whether a whole text fits. */
  boolean matches(MemorySegment text, long start, int length) {
    if (pieces.isEmpty()) {
      return openStart || openEnd || length == 0;
    }
    int position = 0;
    int first = 0;
    int last = pieces.size();
    if (!openStart) {
      position = matchAt(pieces.get(0), text, start, 0, length);
      if (position < 0) {
        return false;
      }
      first = 1;
      if (last == 1) {
        return openEnd || position == length;
      }
    }
    int end = length;
    if (!openEnd) {
      last--;
      end = startOfTail(pieces.get(last), text, start, position, length);
      if (end < 0) {
        return false;
      }
    }
    for (int index = first; index < last; index++) {
      position = find(pieces.get(index), text, start, position, end);
      if (position < 0) {
        return false;
      }
    }
    return true;
  }

  /** Where a piece that stands at the end begins; −1 when it does not fit from {@code least} on. */
  private static int startOfTail(
      Piece piece, MemorySegment text, long start, int least, int length) {
    int begin = length;
    if (piece.plain()) {
      begin = length - piece.length();
    } else {
      for (int point = 0; point < piece.points(); point++) {
        if (begin <= least) {
          return -1;
        }
        begin = Utf8.before(text, start, begin);
      }
    }
    return begin >= least && matchAt(piece, text, start, begin, length) == length ? begin : -1;
  }

  /** The end of the leftmost match from {@code from} on; −1 for none. */
  private static int find(Piece piece, MemorySegment text, long start, int from, int end) {
    if (piece.plain()) {
      int found = ByteStrings.indexOf(text, start + from, end - from, piece.bytes());
      return found < 0 ? -1 : from + found + piece.length();
    }
    for (int begin = from;
        begin < end;
        begin += Utf8.width(text.get(Layouts.INT8, start + begin))) {
      int matched = matchAt(piece, text, start, begin, end);
      if (matched >= 0) {
        return matched;
      }
    }
    return -1;
  }

  /** The end of a match that begins here; −1 for none. */
  private static int matchAt(Piece piece, MemorySegment text, long start, int begin, int end) {
    if (piece.plain()) {
      return end - begin >= piece.length() && ByteStrings.equal(text, start + begin, piece.bytes())
          ? begin + piece.length()
          : -1;
    }
    int position = begin;
    for (int index = 0; index < piece.length(); index++) {
      if (position >= end) {
        return -1;
      }
      byte next = text.get(Layouts.INT8, start + position);
      if (piece.wild()[index]) {
        position += Utf8.width(next);
      } else if (next == piece.bytes()[index]) {
        position++;
      } else {
        return -1;
      }
    }
    return position <= end ? position : -1;
  }
}
