package io.millrace.planner.logical;

import com.google.common.collect.ImmutableList;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.expr.Expr;
import io.millrace.core.expr.SortKey;
import io.millrace.core.expr.Window;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import io.millrace.core.plan.WindowFrame;
import io.millrace.core.type.DataType;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.rex.RexWindowBounds;
import org.apache.calcite.rex.RexWindowExclusion;
import org.apache.calcite.sql.SqlKind;

/** Gives the windows of DataFrame columns the form that SQL's have. */
final class WindowResolver {
  private final RexBuilder builder;
  private final FunctionBinding binding;
  private final Function<Expr, RexNode> resolver;

  WindowResolver(RexBuilder builder, FunctionBinding binding, Function<Expr, RexNode> resolver) {
    this.builder = builder;
    this.binding = binding;
    this.resolver = resolver;
  }

  RexNode resolve(Expr.Over over) {
    FunctionDefinition definition = binding.registry().require(over.function());
    boolean aggregate = definition.kind() == FunctionKind.AGGREGATE;
    boolean marked = over.distinct() || over.filter().isPresent();
    if (definition.kind() == FunctionKind.SCALAR || (aggregate ? over.ignoreNulls() : marked)) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "DISTINCT and filters stand in aggregates, ignoring nulls in other window functions: "
              + definition.name());
    }
    List<RexNode> operands = new ArrayList<>(all(over.arguments()));
    DataType type = resultType(definition, operands);
    over.filter().map(resolver).ifPresent(operands::add);
    Window window = over.window();
    Optional<Window.Frame> frame = window.frame();
    boolean groups =
        frame.isPresent()
            && frame.get().unit() == WindowFrame.Unit.GROUPS
            && (frame.get().start().offset().isPresent() || frame.get().end().offset().isPresent());
    boolean rows = groups || frame.isPresent() && frame.get().unit() == WindowFrame.Unit.ROWS;
    return builder.makeOver(
        ((MillraceTypeFactory) builder.getTypeFactory()).of(type, true),
        new WindowOperator(definition, over.filter().isPresent(), over.ignoreNulls()),
        operands,
        all(window.partition()),
        ImmutableList.copyOf(window.order().stream().map(this::key).toList()),
        frame
            .map(known -> bound(known.start(), groups))
            .orElse(RexWindowBounds.UNBOUNDED_PRECEDING),
        frame.map(known -> bound(known.end(), groups)).orElse(RexWindowBounds.CURRENT_ROW),
        frame
            .map(known -> exclusion(known.exclusion()))
            .orElse(RexWindowExclusion.EXCLUDE_NO_OTHER),
        rows,
        true,
        false,
        over.distinct(),
        over.ignoreNulls());
  }

  private DataType resultType(FunctionDefinition definition, List<RexNode> operands) {
    return binding
        .registry()
        .resolve(
            definition.name(),
            operands.stream()
                .map(operand -> MillraceTypeFactory.dataType(operand.getType()))
                .toList(),
            operands.stream().map(Literals::constant).toList())
        .resultType();
  }

  private List<RexNode> all(List<Expr> exprs) {
    return exprs.stream().map(resolver).toList();
  }

  private RexFieldCollation key(SortKey key) {
    Set<SqlKind> flags = new HashSet<>();
    if (key.descending()) {
      flags.add(SqlKind.DESCENDING);
    }
    flags.add(key.nullsFirst().orElse(key.descending()) ? SqlKind.NULLS_FIRST : SqlKind.NULLS_LAST);
    return new RexFieldCollation(resolver.apply(key.column().expr()), flags);
  }

  private RexWindowBound bound(Window.Bound bound, boolean groups) {
    return switch (bound.edge()) {
      case UNBOUNDED_PRECEDING -> RexWindowBounds.UNBOUNDED_PRECEDING;
      case UNBOUNDED_FOLLOWING -> RexWindowBounds.UNBOUNDED_FOLLOWING;
      case CURRENT_ROW -> RexWindowBounds.CURRENT_ROW;
      case PRECEDING -> RexWindowBounds.preceding(offset(bound, groups));
      case FOLLOWING -> RexWindowBounds.following(offset(bound, groups));
    };
  }

  private RexNode offset(Window.Bound bound, boolean groups) {
    RexNode offset = resolver.apply(bound.offset().orElseThrow());
    return groups
        ? builder.makeCall(offset.getType(), GroupsOffset.INSTANCE, List.of(offset))
        : offset;
  }

  private static RexWindowExclusion exclusion(WindowFrame.Exclusion exclusion) {
    return switch (exclusion) {
      case NO_OTHERS -> RexWindowExclusion.EXCLUDE_NO_OTHER;
      case CURRENT_ROW -> RexWindowExclusion.EXCLUDE_CURRENT_ROW;
      case GROUP -> RexWindowExclusion.EXCLUDE_GROUP;
      case TIES -> RexWindowExclusion.EXCLUDE_TIES;
    };
  }
}
