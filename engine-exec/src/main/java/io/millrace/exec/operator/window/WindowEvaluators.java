package io.millrace.exec.operator.window;

import io.millrace.core.plan.AggregateCall;
import io.millrace.core.plan.WindowCall;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.exec.operator.aggregate.AggregateKernels;
import java.util.List;
import java.util.OptionalInt;

/** Finds what computes a call. */
public final class WindowEvaluators {
  private WindowEvaluators() {}

  /** Whether the function's value depends on the frame. */
  static boolean usesFrame(WindowCall call) {
    return switch (call.function()) {
      case "row_number",
          "rank",
          "dense_rank",
          "percent_rank",
          "cume_dist",
          "ntile",
          "lag",
          "lead" ->
          false;
      default -> !call.frame().isWhole() || isValueFunction(call);
    };
  }

  private static boolean isValueFunction(WindowCall call) {
    return switch (call.function()) {
      case "first_value", "last_value", "nth_value" -> true;
      default -> false;
    };
  }

  /**
   * @param kernel for aggregates; null for window functions
   */
  static WindowEvaluator of(WindowCall call, AggregateKernel kernel) {
    return switch (call.function()) {
      case "row_number" -> RankEvaluator.ROW_NUMBER;
      case "rank" -> RankEvaluator.RANK;
      case "dense_rank" -> RankEvaluator.DENSE_RANK;
      case "percent_rank" -> RankEvaluator.PERCENT_RANK;
      case "cume_dist" -> RankEvaluator.CUME_DIST;
      case "ntile" -> new TileEvaluator(call.arguments().getFirst());
      case "lag" -> new ShiftEvaluator(call, false);
      case "lead" -> new ShiftEvaluator(call, true);
      case "first_value", "last_value", "nth_value" -> new FrameValueEvaluator(call);
      default -> new AggregateEvaluator(call, kernel);
    };
  }

  /** The kernel of each call that is an aggregate; null for the others. */
  public static AggregateKernel kernel(WindowCall call, AggregateKernels kernels) {
    return switch (call.function()) {
      case "row_number",
          "rank",
          "dense_rank",
          "percent_rank",
          "cume_dist",
          "ntile",
          "lag",
          "lead",
          "first_value",
          "last_value",
          "nth_value" ->
          null;
      default ->
          kernels.bind(
              new AggregateCall(
                  call.function(),
                  List.of(),
                  call.argumentTypes(),
                  call.distinct(),
                  OptionalInt.empty(),
                  call.resultType()));
    };
  }
}
