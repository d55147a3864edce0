package io.millrace.planner.dataframe;

import io.millrace.core.expr.Column;
import io.millrace.core.expr.Expr;
import io.millrace.core.expr.SortKey;
import io.millrace.core.expr.Window;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The parts of an expression, and expressions with parts replaced. */
final class ExpressionParts {
  private ExpressionParts() {}

  /** The direct parts. */
  static List<Expr> of(Expr expr) {
    return switch (expr) {
      case Expr.ColumnReference unused -> List.of();
      case Expr.Literal unused -> List.of();
      case Expr.Parameter unused -> List.of();
      case Expr.Star unused -> List.of();
      case Expr.FieldAccess access -> List.of(access.input());
      case Expr.Cast cast -> List.of(cast.input());
      case Expr.Alias alias -> List.of(alias.input());
      case Expr.Call call -> joined(call.arguments(), List.copyOf(call.namedArguments().values()));
      case Expr.UdfCall call -> call.arguments();
      case Expr.AggregateCall call -> joined(call.arguments(), call.filter().stream().toList());
      case Expr.Over over -> joined(over.arguments(), windowParts(over));
      case Expr.In in -> joined(List.of(in.value()), in.candidates());
      case Expr.CaseWhen caseWhen -> {
        List<Expr> parts = new ArrayList<>();
        for (Expr.Branch branch : caseWhen.branches()) {
          parts.add(branch.condition());
          parts.add(branch.value());
        }
        caseWhen.otherwise().ifPresent(parts::add);
        yield parts;
      }
    };
  }

  private static List<Expr> windowParts(Expr.Over over) {
    List<Expr> parts = new ArrayList<>(over.filter().stream().toList());
    parts.addAll(over.window().partition());
    over.window().order().forEach(key -> parts.add(key.column().expr()));
    over.window()
        .frame()
        .ifPresent(
            frame -> {
              frame.start().offset().ifPresent(parts::add);
              frame.end().offset().ifPresent(parts::add);
            });
    return parts;
  }

  private static Window replaced(Window window, Function<Expr, Optional<Expr>> replacement) {
    return new Window(
        all(window.partition(), replacement),
        window.order().stream()
            .map(
                key ->
                    new SortKey(
                        new Column(replace(key.column().expr(), replacement)),
                        key.descending(),
                        key.nullsFirst()))
            .toList(),
        window.frame());
  }

  private static List<Expr> joined(List<Expr> first, List<Expr> second) {
    List<Expr> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  /** The expression with every part for which the function gives one replaced by it. */
  static Expr replace(Expr expr, Function<Expr, Optional<Expr>> replacement) {
    Optional<Expr> replaced = replacement.apply(expr);
    if (replaced.isPresent()) {
      return replaced.get();
    }
    return switch (expr) {
      case Expr.ColumnReference unused -> expr;
      case Expr.Literal unused -> expr;
      case Expr.Parameter unused -> expr;
      case Expr.Star unused -> expr;
      case Expr.FieldAccess access ->
          new Expr.FieldAccess(replace(access.input(), replacement), access.field());
      case Expr.Cast cast ->
          new Expr.Cast(replace(cast.input(), replacement), cast.type(), cast.safe());
      case Expr.Alias alias -> new Expr.Alias(replace(alias.input(), replacement), alias.name());
      case Expr.Call call -> {
        Map<String, Expr> named = new LinkedHashMap<>();
        call.namedArguments().forEach((name, part) -> named.put(name, replace(part, replacement)));
        yield new Expr.Call(call.function(), all(call.arguments(), replacement), named);
      }
      case Expr.UdfCall call ->
          new Expr.UdfCall(call.function(), all(call.arguments(), replacement));
      case Expr.AggregateCall call ->
          new Expr.AggregateCall(
              call.function(),
              all(call.arguments(), replacement),
              call.distinct(),
              call.filter().map(filter -> replace(filter, replacement)));
      case Expr.Over over ->
          new Expr.Over(
              over.function(),
              all(over.arguments(), replacement),
              over.distinct(),
              over.ignoreNulls(),
              over.filter().map(filter -> replace(filter, replacement)),
              replaced(over.window(), replacement));
      case Expr.In in ->
          new Expr.In(
              replace(in.value(), replacement), all(in.candidates(), replacement), in.negated());
      case Expr.CaseWhen caseWhen ->
          new Expr.CaseWhen(
              caseWhen.branches().stream()
                  .map(
                      branch ->
                          new Expr.Branch(
                              replace(branch.condition(), replacement),
                              replace(branch.value(), replacement)))
                  .toList(),
              caseWhen.otherwise().map(otherwise -> replace(otherwise, replacement)));
    };
  }

  private static List<Expr> all(List<Expr> exprs, Function<Expr, Optional<Expr>> replacement) {
    return exprs.stream().map(part -> replace(part, replacement)).toList();
  }
}
