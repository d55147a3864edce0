package io.millrace.core.plan;

import java.util.List;
import java.util.stream.Collectors;

/** Text forms shared by plan printing. */
final class ExpressionText {
  private static final int SHOWN_LIMIT = 10;

  private ExpressionText() {}

  static String list(List<?> arguments) {
    return arguments.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")"));
  }

  /** At most ten members, then how many more there are. */
  static String abbreviated(List<?> members) {
    String shown =
        members.stream()
            .limit(SHOWN_LIMIT)
            .map(String::valueOf)
            .collect(Collectors.joining(", ", "(", ""));
    int more = members.size() - SHOWN_LIMIT;
    return more > 0 ? shown + ", … " + more + " more)" : shown + ")";
  }
}
