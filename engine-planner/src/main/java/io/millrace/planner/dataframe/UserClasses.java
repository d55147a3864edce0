package io.millrace.planner.dataframe;

import io.millrace.core.udf.UdfImplementation;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.UdfCall;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/** The class loader of the user-defined functions in a plan. */
final class UserClasses {
  private UserClasses() {}

  /** That of the first function whose code is not the engine's; the engine's without any. */
  static ClassLoader loader(RelNode plan) {
    ClassLoader engine = UserClasses.class.getClassLoader();
    ClassLoader[] found = {engine};
    RexShuttle expressions =
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            FunctionBinding.userFunction(call)
                .ifPresent(function -> take(function.implementation(), engine, found));
            return super.visitCall(call);
          }
        };
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, RelNode parent) {
        if (node instanceof UdfCall call) {
          take(call.function().implementation(), engine, found);
        }
        node.accept(expressions);
        super.visit(node, ordinal, parent);
      }
    }.go(plan);
    return found[0];
  }

  private static void take(
      UdfImplementation implementation, ClassLoader engine, ClassLoader[] found) {
    Object code =
        switch (implementation) {
          case UdfImplementation.Scalar scalar -> scalar.function();
          case UdfImplementation.Stateless stateless -> stateless.function();
          case UdfImplementation.Stateful stateful -> stateful.factory();
        };
    ClassLoader loader = Optional.ofNullable(code.getClass().getClassLoader()).orElse(engine);
    if (found[0].equals(engine)) {
      found[0] = loader;
    }
  }
}
