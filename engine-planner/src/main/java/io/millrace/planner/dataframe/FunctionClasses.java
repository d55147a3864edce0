package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.udf.UserFunction;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Functions that CREATE FUNCTION names by class: a {@code Supplier<UserFunction>} with a public
 * constructor without arguments. Their jars stay open until the Session closes.
 */
final class FunctionClasses implements AutoCloseable {
  private final List<URLClassLoader> loaders = new ArrayList<>();

  /**
   * @param name the function's name in SQL
   * @throws MillraceException FILE_NOT_FOUND, UDF_NOT_LOADABLE
   */
  UserFunction load(String name, String className, Optional<String> jar) {
    ClassLoader loader = jar.map(this::open).orElseGet(FunctionClasses.class::getClassLoader);
    try {
      Object made = loader.loadClass(className).getConstructor().newInstance();
      if (made instanceof Supplier<?> supplier && supplier.get() instanceof UserFunction function) {
        return new UserFunction(
            name,
            function.argumentTypes(),
            function.resultType(),
            function.implementation(),
            function.options());
      }
    } catch (ReflectiveOperationException | LinkageError failure) {
      throw new MillraceException(
          ErrorCode.UDF_NOT_LOADABLE,
          "The class cannot be loaded; it needs a public constructor without arguments: '"
              + className
              + "': "
              + failure,
          failure);
    }
    throw new MillraceException(
        ErrorCode.UDF_NOT_LOADABLE,
        "The class must be a java.util.function.Supplier of a UserFunction: '" + className + "'");
  }

  private synchronized ClassLoader open(String jar) {
    Path path = Path.of(ClientPaths.absolute(jar));
    if (!Files.isRegularFile(path)) {
      throw new MillraceException(
          ErrorCode.FILE_NOT_FOUND, "There is no such jar; check its path: '" + jar + "'");
    }
    try {
      URLClassLoader loader =
          new URLClassLoader(
              new URL[] {path.toUri().toURL()}, FunctionClasses.class.getClassLoader());
      loaders.add(loader);
      return loader;
    } catch (MalformedURLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    for (URLClassLoader loader : loaders) {
      loader.close();
    }
    loaders.clear();
  }
}
