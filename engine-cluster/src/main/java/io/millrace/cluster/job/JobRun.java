package io.millrace.cluster.job;

import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Runs a pipeline's main class in a class loader of its own. The pipeline gets its session from
 * {@code Session.open()}, which follows the system properties set here; they hold for the whole
 * process, which belongs to the one job.
 */
public final class JobRun {
  /** Address of the runner for {@code Session.open()}. */
  public static final String ADDRESS_PROPERTY = "millrace.address";

  /** Prefix of settings for {@code Session.open()}. */
  public static final String SETTING_PROPERTY_PREFIX = "millrace.setting.";

  private static final long CLEAN_UP_MILLIS = 15_000;

  private JobRun() {}

  /**
   * Runs a jar to its end on the calling thread.
   *
   * @param mainClass empty for the one that the jar's manifest names
   * @param address of the runner that its session uses
   * @throws MillraceException the pipeline's own error, or JOB_FAILED for any other exception
   */
  public static void run(
      Path jar,
      Optional<String> mainClass,
      List<String> arguments,
      String address,
      Configuration configuration) {
    if (!Files.isRegularFile(jar)) {
      throw new MillraceException(
          ErrorCode.FILE_NOT_FOUND, "There is no such jar; check its path: " + jar);
    }
    String name = mainClass.or(() -> mainClassOf(jar)).orElseThrow(() -> noMainClass(jar));
    System.setProperty(ADDRESS_PROPERTY, address);
    configuration
        .texts()
        .forEach((key, value) -> System.setProperty(SETTING_PROPERTY_PREFIX + key, value));
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {jar.toAbsolutePath().toUri().toURL()}, JobRun.class.getClassLoader())) {
      Method main = mainMethod(loader, name, jar);
      runInItsThread(loader, () -> invoke(main, arguments));
    } catch (IOException failure) {
      throw new MillraceException(ErrorCode.IO_FAILED, "Cannot read the jar: " + jar, failure);
    }
  }

  /** Runs the job on a thread whose context class loader is the job's, and waits for its end. */
  private static void runInItsThread(ClassLoader loader, Runnable job) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofPlatform()
            .name("job")
            .uncaughtExceptionHandler((ended, thrown) -> failure.set(thrown))
            .unstarted(job);
    thread.setContextClassLoader(loader);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException cancelled) {
      thread.interrupt();
      awaitCleanUp(thread);
      Thread.currentThread().interrupt();
      throw new MillraceException(ErrorCode.CANCELLED, "The job was cancelled.", cancelled);
    }
    switch (failure.get()) {
      case null -> {}
      case RuntimeException thrown -> throw thrown;
      case Error thrown -> throw thrown;
      case Throwable thrown -> throw new IllegalStateException(thrown);
    }
  }

  /** Lets a cancelled job close its session, which removes what is half-written. */
  private static void awaitCleanUp(Thread job) {
    try {
      job.join(Duration.ofMillis(CLEAN_UP_MILLIS));
    } catch (InterruptedException again) {
      // Asked twice: no more patience.
    }
  }

  private static Optional<String> mainClassOf(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      return Optional.ofNullable(manifest)
          .map(found -> found.getMainAttributes().getValue("Main-Class"));
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.INVALID_FILE, "The file is no jar; give a pipeline's jar: " + jar, failure);
    }
  }

  private static MillraceException noMainClass(Path jar) {
    return new MillraceException(
        ErrorCode.INVALID_ARGUMENT,
        "The jar's manifest names no main class; give it with --class: " + jar);
  }

  private static Method mainMethod(URLClassLoader loader, String name, Path jar) {
    try {
      Method main = loader.loadClass(name).getMethod("main", String[].class);
      if (Modifier.isStatic(main.getModifiers())) {
        main.setAccessible(true);
        return main;
      }
    } catch (ClassNotFoundException missing) {
      throw new MillraceException(
          ErrorCode.UDF_NOT_LOADABLE,
          "The jar has no such class; check --class: '" + name + "' in " + jar,
          missing);
    } catch (NoSuchMethodException noMain) {
      // Reported below.
    }
    throw new MillraceException(
        ErrorCode.UDF_NOT_LOADABLE,
        "The class has no public static void main(String[]): '" + name + "' in " + jar);
  }

  private static void invoke(Method main, List<String> arguments) {
    try {
      main.invoke(null, (Object) arguments.toArray(String[]::new));
    } catch (InvocationTargetException failure) {
      throw jobFailure(failure.getCause());
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** An engine error as it is; any other with the line of the pipeline that threw it. */
  private static MillraceException jobFailure(Throwable cause) {
    for (Throwable current = cause; current != null; current = current.getCause()) {
      if (current instanceof MillraceException known) {
        return known;
      }
    }
    if (cause instanceof OutOfMemoryError) {
      return MillraceException.of(cause);
    }
    StackTraceElement[] trace = cause.getStackTrace();
    return new MillraceException(
        ErrorCode.JOB_FAILED,
        "The pipeline failed: " + cause + (trace.length == 0 ? "" : ", at " + trace[0]),
        cause);
  }
}
