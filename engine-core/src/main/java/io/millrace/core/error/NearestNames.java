package io.millrace.core.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds the names a user most likely meant, by edit distance without regard to case. */
public final class NearestNames {
  private static final int SHOWN_LIMIT = 3;

  private NearestNames() {}

  /**
   * Up to three of the candidates, nearest first; those further away than half the name's length
   * (at least 2) are left out.
   */
  public static List<String> of(String name, Collection<String> candidates) {
    String wanted = name.toLowerCase(Locale.ROOT);
    int limit = Math.max(2, wanted.length() / 2);
    return candidates.stream()
        .distinct()
        .filter(candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT)) <= limit)
        .sorted(
            Comparator.comparingInt(
                    (String candidate) -> distance(wanted, candidate.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()))
        .limit(SHOWN_LIMIT)
        .toList();
  }

  /** A sentence such as {@code ; did you mean 'caption' or 'captain'?}, or empty without any. */
  public static String hint(String name, Collection<String> candidates) {
    List<String> nearest = of(name, candidates);
    if (nearest.isEmpty()) {
      return "";
    }
    return nearest.stream()
        .map(candidate -> "'" + candidate + "'")
        .collect(Collectors.joining(" or ", "; did you mean ", "?"));
  }

  /** Levenshtein distance in UTF-16 units. */
  static int distance(String left, String right) {
    int[] previous = new int[right.length() + 1];
    for (int column = 0; column <= right.length(); column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= left.length(); row++) {
      int[] current = new int[right.length() + 1];
      current[0] = row;
      for (int column = 1; column <= right.length(); column++) {
        int replaced =
            previous[column - 1] + (left.charAt(row - 1) == right.charAt(column - 1) ? 0 : 1);
        current[column] = Math.min(replaced, Math.min(previous[column], current[column - 1]) + 1);
      }
      previous = current;
    }
    return previous[right.length()];
  }
}
