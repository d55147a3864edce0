package io.millrace.integration.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./millrace} and the search for a JDK, run as processes. */
class LauncherTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  @TempDir private Path folder;

  @Test
  void startsWhatWasBuiltFromAnyFolder() throws Exception {
    Finished finished = launch(Map.of(), "--version");
    assertEquals(0, finished.exitCode(), finished.errors());
    assertTrue(finished.output().startsWith("millrace "), finished.output());
    assertEquals("", finished.errors());
  }

  @Test
  void startsThroughASymbolicLink() throws Exception {
    assumeBuilt();
    Path link = Files.createSymbolicLink(folder.resolve("mr"), ROOT.resolve("millrace"));
    Finished finished = run(Map.of("MILLRACE_NO_BUILD", "1"), link.toString(), "--version");
    assertEquals(0, finished.exitCode(), finished.errors());
  }

  @Test
  void memoryOptionBoundsTheHeap() throws Exception {
    Map<String, String> showSettings = Map.of("MILLRACE_JAVA_OPTIONS", "-XshowSettings:vm");
    assertTrue(
        launch(showSettings, "--version", "--memory", "512m")
            .errors()
            .contains("Max. Heap Size: 256.00M"));
    assertTrue(
        launch(showSettings, "--version", "--memory=1.5GiB")
            .errors()
            .contains("Max. Heap Size: 768.00M"));
  }

  @Test
  void withoutAJdkOneLineSaysWhatToInstall() throws Exception {
    String search = Files.readString(ROOT.resolve(".ci/find-jdk"));
    String never = search.replace("REQUIRED=25", "REQUIRED=9999");
    assertTrue(!never.equals(search), "the required version is no longer set as REQUIRED=25");
    Files.createDirectory(folder.resolve(".ci"));
    Path script = Files.writeString(folder.resolve(".ci/find-jdk"), never);
    assertTrue(script.toFile().setExecutable(true));
    Path launcher = Files.copy(ROOT.resolve("millrace"), folder.resolve("millrace"));
    assertTrue(launcher.toFile().setExecutable(true));

    Finished finished = run(Map.of(), launcher.toString(), "--version");

    assertEquals(4, finished.exitCode());
    assertEquals("", finished.output());
    assertEquals(1, finished.errors().lines().count(), finished.errors());
    assertTrue(finished.errors().startsWith("error[NO_JAVA]: "), finished.errors());
    assertTrue(finished.errors().contains("install"), finished.errors());
  }

  @Test
  void theJdkFoundIsNewEnough() throws Exception {
    Finished finished = run(Map.of(), ROOT.resolve(".ci/find-jdk").toString());
    assertEquals(0, finished.exitCode(), finished.errors());
    Path home = Path.of(finished.output().strip());
    assertTrue(Files.isExecutable(home.resolve("bin/javac")), home.toString());
  }

  private Finished launch(Map<String, String> environment, String... arguments) throws Exception {
    assumeBuilt();
    String[] command = new String[arguments.length + 1];
    command[0] = ROOT.resolve("millrace").toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Map<String, String> all = new HashMap<>(environment);
    all.put("MILLRACE_NO_BUILD", "1");
    return run(all, command);
  }

  private static void assumeBuilt() {
    assumeTrue(
        Files.exists(ROOT.resolve("distribution/target/dist/millrace.jar")),
        "the distribution is built by mvn package");
  }

  private Finished run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(List.of(command))
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("not done after 60 s: " + List.of(command));
    }
    return new Finished(process.exitValue(), Files.readString(output), Files.readString(errors));
  }

  private record Finished(int exitCode, String output, String errors) {}
}
