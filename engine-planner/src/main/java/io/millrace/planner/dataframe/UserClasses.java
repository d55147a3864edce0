package io.millrace.planner.dataframe;

import io.millrace.core.udf.UdfImplementation;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.UdfCall;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/** The class loader of the user-defined functions in a plan, from one jar or several. */
final class UserClasses {
  private UserClasses() {}

  /** That of the functions whose code is not the engine's; the engine's without any. */
  static ClassLoader loader(RelNode plan) {
    ClassLoader engine = UserClasses.class.getClassLoader();
    Set<ClassLoader> found = new LinkedHashSet<>();
    RexShuttle expressions =
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            FunctionBinding.userFunction(call)
                .ifPresent(function -> found.add(loader(function.implementation(), engine)));
            return super.visitCall(call);
          }
        };
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, RelNode parent) {
        if (node instanceof UdfCall call) {
          found.add(loader(call.function().implementation(), engine));
        }
        node.accept(expressions);
        super.visit(node, ordinal, parent);
      }
    }.go(plan);
    found.remove(engine);
    return switch (found.size()) {
      case 0 -> engine;
      case 1 -> found.iterator().next();
      default -> joined(found, engine);
    };
  }

  /** Functions of several jars run with all of these; of equal names the first jar's counts. */
  private static ClassLoader joined(Set<ClassLoader> loaders, ClassLoader engine) {
    List<URL> jars = new ArrayList<>();
    for (ClassLoader loader : loaders) {
      if (loader instanceof URLClassLoader urls) {
        jars.addAll(List.of(urls.getURLs()));
      }
    }
    return new URLClassLoader(jars.stream().distinct().toArray(URL[]::new), engine);
  }

  private static ClassLoader loader(UdfImplementation implementation, ClassLoader engine) {
    Object code =
        switch (implementation) {
          case UdfImplementation.Scalar scalar -> scalar.function();
          case UdfImplementation.Stateless stateless -> stateless.function();
          case UdfImplementation.Stateful stateful -> stateful.factory();
        };
    return Optional.ofNullable(code.getClass().getClassLoader()).orElse(engine);
  }
}
