package io.millrace.exec.format.parquet.read;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalExpression.Call;
import io.millrace.core.plan.PhysicalExpression.Cast;
import io.millrace.core.plan.PhysicalExpression.Constant;
import io.millrace.core.plan.PhysicalExpression.InSet;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.plan.PhysicalExpression.Logical;
import io.millrace.core.type.DataType;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Tells from statistics that no row of a row group can pass a filter. Whatever it does not
 * understand may pass. NaN is greater than all numbers here and stands in no statistics, so that
 * bounds of floats exclude nothing above them.
 */
public final class RowGroupPruning {
  /** More candidates are not worth the time. */
  private static final int CANDIDATE_LIMIT = 1000;

  private final IntFunction<ColumnBounds> bounds;

  /**
   * @param bounds of a table's column, null when nothing is known
   */
  RowGroupPruning(IntFunction<ColumnBounds> bounds) {
    this.bounds = bounds;
  }

  /** Whether a row may pass all conjuncts, over positions of the table's columns. */
  boolean mayPass(List<PhysicalExpression> conjuncts) {
    return conjuncts.stream().allMatch(this::mayPass);
  }

  private boolean mayPass(PhysicalExpression expression) {
    return switch (expression) {
      case Logical logical ->
          logical.conjunction()
              ? logical.arguments().stream().allMatch(this::mayPass)
              : logical.arguments().stream().anyMatch(this::mayPass);
      case Constant constant -> Boolean.TRUE.equals(constant.value());
      case InSet set -> mayBeIn(set);
      case Call call -> mayPass(call);
      default -> true;
    };
  }

  private boolean mayPass(Call call) {
    List<PhysicalExpression> arguments = call.arguments();
    return switch (call.function()) {
      case "is_null" -> {
        ColumnBounds column = column(arguments.getFirst());
        yield column == null || column.nullCount() != 0;
      }
      case "is_not_null" -> {
        ColumnBounds column = column(arguments.getFirst());
        yield column == null || !column.isAllNull();
      }
      case "eq", "ne", "lt", "le", "gt", "ge" -> {
        if (arguments.get(1) instanceof Constant constant) {
          yield mayCompare(call.function(), arguments.get(0), constant);
        }
        yield !(arguments.get(0) instanceof Constant constant)
            || mayCompare(turned(call.function()), arguments.get(1), constant);
      }
      default -> true;
    };
  }

  private static String turned(String function) {
    return switch (function) {
      case "lt" -> "gt";
      case "le" -> "ge";
      case "gt" -> "lt";
      case "ge" -> "le";
      default -> function;
    };
  }

  /** The bounds behind a column, also under a cast that keeps values and their order. */
  private ColumnBounds column(PhysicalExpression expression) {
    return switch (expression) {
      case Input input -> bounds.apply(input.index());
      case Cast cast when keepsValues(cast.input().type(), cast.type()) -> column(cast.input());
      default -> null;
    };
  }

  private static boolean keepsValues(DataType from, DataType to) {
    if (from.equals(to)) {
      return true;
    }
    if (from instanceof DataType.Int source) {
      if (to instanceof DataType.Int target) {
        return source.signed() == target.signed()
            ? source.bits() <= target.bits()
            : target.signed() && source.bits() < target.bits();
      }
      // 20 digits hold every integer of 64 bits.
      return to instanceof DataType.Decimal target && target.precision() - target.scale() >= 20;
    }
    return from instanceof DataType.Decimal source
        && to instanceof DataType.Decimal target
        && target.scale() >= source.scale()
        && target.precision() - target.scale() >= source.precision() - source.scale();
  }

  private boolean mayCompare(String function, PhysicalExpression value, Constant constant) {
    if (constant.value() == null) {
      return false;
    }
    ColumnBounds column = column(value);
    if (column == null) {
      return true;
    }
    if (column.isAllNull()) {
      return false;
    }
    Object limit = ColumnBounds.of(constant.value(), constant.type());
    Object lower = column.lower();
    Object upper = column.upper();
    if (limit == null || !isSameKind(lower, limit) || !isSameKind(upper, limit)) {
      return true;
    }
    boolean mayBeNan = limit instanceof Double;
    return switch (function) {
      case "eq" -> mayContain(column, limit);
      case "lt" -> lower == null || ColumnBounds.compare(lower, limit) < 0;
      case "le" -> lower == null || ColumnBounds.compare(lower, limit) <= 0;
      case "gt" -> mayBeNan || upper == null || ColumnBounds.compare(upper, limit) > 0;
      case "ge" -> mayBeNan || upper == null || ColumnBounds.compare(upper, limit) >= 0;
      default -> true;
    };
  }

  private static boolean isSameKind(Object bound, Object limit) {
    return bound == null || bound.getClass() == limit.getClass();
  }

  private static boolean mayContain(ColumnBounds column, Object limit) {
    return (column.lower() == null || ColumnBounds.compare(column.lower(), limit) <= 0)
        && (column.upper() == null || ColumnBounds.compare(column.upper(), limit) >= 0);
  }

  private boolean mayBeIn(InSet set) {
    ColumnBounds column = column(set.value());
    if (column == null || set.candidates().size() > CANDIDATE_LIMIT) {
      return true;
    }
    if (column.isAllNull()) {
      return false;
    }
    if (set.negated()) {
      return true;
    }
    for (Object candidate : set.candidates()) {
      Object limit = candidate == null ? null : ColumnBounds.of(candidate, set.value().type());
      boolean known =
          limit != null && isSameKind(column.lower(), limit) && isSameKind(column.upper(), limit);
      if (!known && candidate != null || known && mayContain(column, limit)) {
        return true;
      }
    }
    return false;
  }
}
