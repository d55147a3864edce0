package io.millrace.exec.expression;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalExpression.Branch;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** Moves expressions to an input with other column positions. */
public final class InputRemapping {
  private InputRemapping() {}

  /** Adds the positions that an expression reads. */
  public static void collect(PhysicalExpression expression, Set<Integer> positions) {
    var unused =
        apply(
            expression,
            position -> {
              positions.add(position);
              return position;
            });
  }

  public static PhysicalExpression apply(PhysicalExpression expression, IntUnaryOperator mapping) {
    return switch (expression) {
      case PhysicalExpression.Input input ->
          new PhysicalExpression.Input(mapping.applyAsInt(input.index()), input.type());
      case PhysicalExpression.Constant constant -> constant;
      case PhysicalExpression.Call call ->
          new PhysicalExpression.Call(call.function(), all(call.arguments(), mapping), call.type());
      case PhysicalExpression.Cast cast ->
          new PhysicalExpression.Cast(apply(cast.input(), mapping), cast.type(), cast.safe());
      case PhysicalExpression.Logical logical ->
          new PhysicalExpression.Logical(logical.conjunction(), all(logical.arguments(), mapping));
      case PhysicalExpression.CaseWhen cases ->
          new PhysicalExpression.CaseWhen(
              cases.branches().stream()
                  .map(
                      branch ->
                          new Branch(
                              apply(branch.condition(), mapping), apply(branch.value(), mapping)))
                  .toList(),
              cases.otherwise().map(value -> apply(value, mapping)),
              cases.type());
      case PhysicalExpression.Coalesce coalesce ->
          new PhysicalExpression.Coalesce(all(coalesce.arguments(), mapping), coalesce.type());
      case PhysicalExpression.InSet set ->
          new PhysicalExpression.InSet(
              apply(set.value(), mapping), set.candidates(), set.hasNull(), set.negated());
      case PhysicalExpression.FieldAccess access ->
          new PhysicalExpression.FieldAccess(
              apply(access.input(), mapping), access.index(), access.type());
    };
  }

  private static List<PhysicalExpression> all(
      List<PhysicalExpression> expressions, IntUnaryOperator mapping) {
    return expressions.stream().map(expression -> apply(expression, mapping)).toList();
  }
}
