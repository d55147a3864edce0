package io.millrace.planner.optimize;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.WindowFrame;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.GroupsOffset;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowExclusion;

/** Reads frames; offsets of RANGE become values of the sort key. */
final class WindowFrames {
  private final FunctionBinding binding;
  private final UnaryOperator<RexNode> normalize;

  WindowFrames(FunctionBinding binding, UnaryOperator<RexNode> normalize) {
    this.binding = binding;
    this.normalize = normalize;
  }

  /**
   * A frame whose offsets are not yet columns.
   *
   * @param sortKeys the sort keys, of a type that the values fit when there are any
   * @param start normalized offset or value
   */
  record Frame(
      WindowFrame.Unit unit,
      WindowFrame.Edge startEdge,
      Optional<RexNode> start,
      WindowFrame.Edge endEdge,
      Optional<RexNode> end,
      WindowFrame.Exclusion exclusion,
      List<RexNode> sortKeys) {

    static Frame whole(List<RexNode> sortKeys) {
      return new Frame(
          WindowFrame.WHOLE.unit(),
          WindowFrame.WHOLE.start().edge(),
          Optional.empty(),
          WindowFrame.WHOLE.end().edge(),
          Optional.empty(),
          WindowFrame.WHOLE.exclusion(),
          sortKeys);
    }

    /** Whether bounds are values of the sort key. */
    boolean hasValues() {
      return unit == WindowFrame.Unit.RANGE && (start.isPresent() || end.isPresent());
    }

    /**
     * The frame of a plan.
     *
     * @param unordered whether all rows of a partition are peers
     */
    WindowFrame planned(Function<RexNode, PhysicalExpression> part, boolean unordered) {
      boolean wholeWhenUnordered =
          unordered
              && unit == WindowFrame.Unit.RANGE
              && start.isEmpty()
              && end.isEmpty()
              && exclusion == WindowFrame.Exclusion.NO_OTHERS;
      boolean whole =
          startEdge == WindowFrame.Edge.UNBOUNDED_PRECEDING
              && endEdge == WindowFrame.Edge.UNBOUNDED_FOLLOWING
              && exclusion == WindowFrame.Exclusion.NO_OTHERS;
      return wholeWhenUnordered || whole
          ? WindowFrame.WHOLE
          : new WindowFrame(
              unit,
              new WindowFrame.Bound(startEdge, start.map(part)),
              new WindowFrame.Bound(endEdge, end.map(part)),
              exclusion);
    }
  }

  Frame of(RexWindow window, List<RexNode> sortKeys) {
    boolean groups = countsGroups(window.getLowerBound()) || countsGroups(window.getUpperBound());
    WindowFrame.Unit unit =
        groups
            ? WindowFrame.Unit.GROUPS
            : window.isRows() ? WindowFrame.Unit.ROWS : WindowFrame.Unit.RANGE;
    Optional<RexNode> start = offset(window.getLowerBound(), unit);
    Optional<RexNode> end = offset(window.getUpperBound(), unit);
    List<RexNode> keys = sortKeys;
    if (unit == WindowFrame.Unit.RANGE && (start.isPresent() || end.isPresent())) {
      if (sortKeys.size() != 1) {
        throw new MillraceException(
            ErrorCode.INVALID_ARGUMENT,
            "RANGE with an offset takes one sort key; given: " + sortKeys.size());
      }
      RexNode key = sortKeys.getFirst();
      boolean descending = window.orderKeys.getFirst().getDirection().isDescending();
      start = start.map(by -> edge(key, by, descending != window.getLowerBound().isPreceding()));
      end = end.map(by -> edge(key, by, descending != window.getUpperBound().isPreceding()));
      DataType type = commonType(key, start, end);
      start = start.map(value -> normalize.apply(binding.cast(value, type)));
      end = end.map(value -> normalize.apply(binding.cast(value, type)));
      keys = List.of(normalize.apply(binding.cast(key, type)));
    }
    return new Frame(
        unit,
        edge(window.getLowerBound()),
        start,
        edge(window.getUpperBound()),
        end,
        exclusion(window.getExclude()),
        keys);
  }

  private static DataType commonType(RexNode key, Optional<RexNode> start, Optional<RexNode> end) {
    List<DataType> types = new ArrayList<>();
    types.add(MillraceTypeFactory.dataType(key.getType()));
    start.ifPresent(value -> types.add(MillraceTypeFactory.dataType(value.getType())));
    end.ifPresent(value -> types.add(MillraceTypeFactory.dataType(value.getType())));
    return TypeCoercion.commonType(types)
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.TYPE_MISMATCH,
                    "The offset of RANGE does not fit the sort key: " + types));
  }

  /** The value of the sort key where the frame ends. */
  private RexNode edge(RexNode key, RexNode by, boolean before) {
    return normalize.apply(binding.call(before ? "subtract" : "add", List.of(key, by)));
  }

  private static boolean countsGroups(RexWindowBound bound) {
    return bound.getOffset() instanceof RexCall call
        && call.getOperator().equals(GroupsOffset.INSTANCE);
  }

  private Optional<RexNode> offset(RexWindowBound bound, WindowFrame.Unit unit) {
    if (bound.isUnbounded() || bound.isCurrentRow()) {
      return Optional.empty();
    }
    RexNode given = bound.getOffset();
    RexNode plain = countsGroups(bound) ? ((RexCall) given).getOperands().getFirst() : given;
    RexNode offset = normalize.apply(plain);
    DataType type = MillraceTypeFactory.dataType(offset.getType());
    if (unit != WindowFrame.Unit.RANGE) {
      if (!(type instanceof DataType.Int)) {
        throw new MillraceException(
            ErrorCode.TYPE_MISMATCH,
            "Offsets of ROWS and GROUPS are whole numbers; given: " + type);
      }
      offset = normalize.apply(binding.cast(offset, DataType.INT64));
    }
    boolean negative =
        Literals.isConstant(offset)
            && Literals.value(offset) instanceof Number number
            && number.doubleValue() < 0;
    if (negative || Literals.isNull(offset)) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "The offset of a frame is neither negative nor null: " + offset);
    }
    return Optional.of(offset);
  }

  private static WindowFrame.Edge edge(RexWindowBound bound) {
    if (bound.isCurrentRow()) {
      return WindowFrame.Edge.CURRENT_ROW;
    }
    if (bound.isPreceding()) {
      return bound.isUnbounded()
          ? WindowFrame.Edge.UNBOUNDED_PRECEDING
          : WindowFrame.Edge.PRECEDING;
    }
    return bound.isUnbounded() ? WindowFrame.Edge.UNBOUNDED_FOLLOWING : WindowFrame.Edge.FOLLOWING;
  }

  private static WindowFrame.Exclusion exclusion(RexWindowExclusion exclusion) {
    return switch (exclusion) {
      case EXCLUDE_NO_OTHER -> WindowFrame.Exclusion.NO_OTHERS;
      case EXCLUDE_CURRENT_ROW -> WindowFrame.Exclusion.CURRENT_ROW;
      case EXCLUDE_GROUP -> WindowFrame.Exclusion.GROUP;
      case EXCLUDE_TIES -> WindowFrame.Exclusion.TIES;
    };
  }
}
