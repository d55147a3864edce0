package io.millrace.planner.explain;

import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.WindowCall;
import io.millrace.core.plan.WindowFrame;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Windows as text, the same for logical and physical plans. */
final class WindowText {
  private WindowText() {}

  static String of(List<Integer> partitionKeys, List<OrderKey> orderKeys, List<WindowCall> calls) {
    return "Window"
        + (partitionKeys.isEmpty() ? "" : PhysicalText.columns(partitionKeys, " by [", "]"))
        + (orderKeys.isEmpty() ? "" : " order " + PhysicalText.keys(orderKeys))
        + calls.stream().map(WindowText::call).collect(Collectors.joining(", ", " [", "]"));
  }

  private static String call(WindowCall call) {
    return call.function()
        + call.arguments().stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", ", call.distinct() ? "(distinct " : "(", ")"))
        + (call.ignoreNulls() ? " ignore nulls" : "")
        + (call.filter().isPresent() ? " filter $" + call.filter().getAsInt() : "")
        + (call.frame().isWhole() ? "" : " " + frame(call.frame()));
  }

  private static String frame(WindowFrame frame) {
    return words(frame.unit())
        + " "
        + bound(frame.start())
        + " to "
        + bound(frame.end())
        + (frame.exclusion() == WindowFrame.Exclusion.NO_OTHERS
            ? ""
            : " exclude " + words(frame.exclusion()));
  }

  private static String bound(WindowFrame.Bound bound) {
    return bound.offset().map(offset -> offset + " ").orElse("") + words(bound.edge());
  }

  private static String words(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
