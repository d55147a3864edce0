package io.millrace.cluster.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The command line in a JVM of its own, with this test's class path; ended by close. */
final class MillraceProcess implements AutoCloseable {
  private static final long WAIT_SECONDS = 150;

  private final Process process;
  private final List<String> errors = new ArrayList<>();
  private final StringBuilder out = new StringBuilder();
  private final List<Thread> readers = new ArrayList<>();

  private MillraceProcess(Process process) {
    this.process = process;
  }

  static MillraceProcess start(Path folder, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith("-agentlib") && !flag.startsWith("-javaagent"))
        .forEach(command::add);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add("io.millrace.cluster.cli.Main");
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
    MillraceProcess started = new MillraceProcess(process);
    started.read(process.getErrorStream(), true);
    started.read(process.getInputStream(), false);
    return started;
  }

  private void read(InputStream stream, boolean toErrors) {
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  try (BufferedReader lines =
                      new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                      take(line, toErrors);
                    }
                  } catch (IOException ended) {
                    // The process is gone.
                  }
                });
    readers.add(reader);
  }

  private synchronized void take(String line, boolean toErrors) {
    if (toErrors) {
      errors.add(line);
    } else {
      out.append(line).append('\n');
    }
    notifyAll();
  }

  /** Waits for a line on the error stream. */
  synchronized String awaitError(Predicate<String> wanted) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    while (true) {
      Optional<String> found = errors.stream().filter(wanted).findFirst();
      if (found.isPresent()) {
        return found.get();
      }
      long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0 || !process.isAlive()) {
        throw new AssertionError("the line did not come, only " + errors);
      }
      wait(Math.min(leftMillis, 200));
    }
  }

  /** Waits for {@code ready HOST:PORT} and gives the address. */
  String awaitReady() throws InterruptedException {
    return awaitError(line -> line.startsWith("ready ")).substring("ready ".length());
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("the process did not end: " + errors);
    }
    for (Thread reader : readers) {
      reader.join(TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
    }
    return process.exitValue();
  }

  synchronized String out() {
    return out.toString();
  }

  synchronized String errors() {
    return String.join("\n", errors);
  }

  List<ProcessHandle> children() {
    return process.children().toList();
  }

  /** Ctrl-C. */
  void interrupt() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
  }

  void kill() {
    process.destroyForcibly();
  }

  /** Closes the pipe, as a parent that ends does. */
  void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
