package io.millrace.cluster.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Coordinator, worker, client and job as processes of their own. */
@Timeout(400)
final class ClusterProcessTest {
  private static final String QUERY =
      "SELECT city, count(*) AS n FROM 't.csv' GROUP BY city ORDER BY city";
  private static final String ROWS = "city,n\nBern,1\nOslo,2\n";

  @TempDir Path folder;

  private void writeCities() throws IOException {
    Files.writeString(folder.resolve("t.csv"), "id,city\n1,Oslo\n2,Bern\n3,Oslo\n");
  }

  @Test
  void aStandingClusterServesClientsAndJobs() throws Exception {
    writeCities();
    Path token = folder.resolve("token");
    Files.writeString(token, "open sesame\n");
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    try (MillraceProcess coordinator =
        MillraceProcess.start(
            elsewhere, "coordinator", "--port", "0", "--token-file", token.toString())) {
      String address = coordinator.awaitReady();
      try (MillraceProcess stranger =
              MillraceProcess.start(folder, "worker", "--coordinator", address);
          MillraceProcess worker =
              MillraceProcess.start(
                  elsewhere,
                  "worker",
                  "--coordinator",
                  address,
                  "--cpus",
                  "2",
                  "--token-file",
                  token.toString())) {
        worker.awaitReady();
        assertEquals(4, stranger.awaitExit());
        assertTrue(
            stranger.errors().contains("error[AUTHENTICATION_FAILED-607]"), stranger.errors());
        querySucceeds(address, token);
        jobSucceeds(address, token);
        jobFails(address, token);
        clientsFilesAreUsed(address, token);
        coordinator.kill();
        assertEquals(4, worker.awaitExit());
        assertTrue(worker.errors().contains("error[COORDINATOR_UNREACHABLE-604]"), worker.errors());
      }
    }
  }

  private void querySucceeds(String address, Path token) throws Exception {
    try (MillraceProcess client =
        MillraceProcess.start(
            folder,
            "sql",
            QUERY,
            "--format",
            "csv",
            "--coordinator",
            "millrace://" + address,
            "--token-file",
            token.toString())) {
      assertEquals(0, client.awaitExit(), client.errors());
      assertEquals(ROWS, client.out());
    }
  }

  /** Coordinator and worker run in another folder: relative paths are the client's. */
  private void clientsFilesAreUsed(String address, Path token) throws Exception {
    functionJar("twice.jar", "Twice", 2);
    functionJar("thrice.jar", "Thrice", 3);
    try (MillraceProcess client =
        MillraceProcess.start(
            folder,
            "sql",
            "COPY (SELECT city FROM 't.csv' WHERE id = 2) TO 'out.csv';"
                + "CREATE TABLE kept AS SELECT id FROM 't.csv' WHERE id > 1;"
                + "CREATE FUNCTION twice AS 'job.Twice' USING JAR 'twice.jar';"
                + "CREATE FUNCTION thrice AS 'job.Thrice' USING JAR 'thrice.jar';"
                + "SELECT twice(id) AS a, thrice(id) AS b FROM kept ORDER BY a",
            "--format",
            "csv",
            "--coordinator",
            address,
            "--token-file",
            token.toString())) {
      assertEquals(0, client.awaitExit(), client.errors());
      assertEquals("a,b\n4,6\n6,9\n", client.out());
      assertTrue(Files.exists(folder.resolve("out.csv")), client.errors());
    }
  }

  private void jobSucceeds(String address, Path token) throws Exception {
    try (MillraceProcess job = submit(address, token, "7")) {
      assertEquals(0, job.awaitExit(), job.errors());
      assertEquals("[8, 9]\n", job.out());
      assertTrue(job.errors().contains("working"), job.errors());
    }
  }

  private void jobFails(String address, Path token) throws Exception {
    try (MillraceProcess job = submit(address, token, "bad")) {
      assertEquals(1, job.awaitExit(), job.errors());
      assertTrue(job.errors().contains("error[JOB_FAILED-404]"), job.errors());
      assertTrue(job.errors().contains("NumberFormatException"), job.errors());
    }
  }

  private MillraceProcess submit(String address, Path token, String argument) throws Exception {
    return MillraceProcess.start(
        folder,
        "submit",
        jar().toString(),
        "--class",
        "job.Pipeline",
        "--coordinator",
        address,
        "--token-file",
        token.toString(),
        "--",
        argument);
  }

  @Test
  void aSilentJobEndsWhenItsSubmitterIsInterrupted() throws Exception {
    try (MillraceProcess coordinator = MillraceProcess.start(folder, "coordinator", "--port", "0");
        MillraceProcess job =
            MillraceProcess.start(
                folder,
                "submit",
                jar().toString(),
                "--class",
                "job.Pipeline",
                "--coordinator",
                coordinator.awaitReady(),
                "--",
                "silent")) {
      job.awaitError(line -> line.contains("working"));
      List<ProcessHandle> jobs = coordinator.children();
      assertEquals(1, jobs.size());
      job.interrupt();
      assertEquals(130, job.awaitExit(), job.errors());
      awaitEnd(jobs);
    }
  }

  @Test
  void aPipelineRunsOnWorkersOfItsOwn() throws Exception {
    try (MillraceProcess run =
        MillraceProcess.start(
            folder,
            "run",
            jar().toString(),
            "--class",
            "job.Pipeline",
            "--workers",
            "2",
            "--",
            "1")) {
      assertEquals(0, run.awaitExit(), run.errors());
      assertEquals("[2, 3]\n", run.out());
    }
  }

  @Test
  void interruptingEndsTheWorkersToo() throws Exception {
    try (MillraceProcess run =
        MillraceProcess.start(
            folder,
            "run",
            jar().toString(),
            "--class",
            "job.Pipeline",
            "--workers",
            "2",
            "--",
            "wait")) {
      run.awaitError(line -> line.contains("waiting"));
      List<ProcessHandle> workers = run.children();
      assertEquals(2, workers.size());
      run.interrupt();
      assertEquals(130, run.awaitExit(), run.errors());
      awaitEnd(workers);
    }
  }

  @Test
  void workersEndWhenTheirParentIsKilled() throws Exception {
    try (MillraceProcess run =
        MillraceProcess.start(
            folder,
            "run",
            jar().toString(),
            "--class",
            "job.Pipeline",
            "--workers",
            "2",
            "--",
            "wait")) {
      run.awaitError(line -> line.contains("waiting"));
      List<ProcessHandle> workers = run.children();
      run.kill();
      awaitEnd(workers);
    }
  }

  private static void awaitEnd(List<ProcessHandle> workers) throws Exception {
    for (ProcessHandle worker : workers) {
      worker.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  /** A pipeline with a function of its own, compiled here, so that no class path has it. */
  private Path jar() throws IOException {
    Path jar = folder.resolve("pipeline.jar");
    if (Files.exists(jar)) {
      return jar;
    }
    Path source = Files.createDirectories(folder.resolve("job")).resolve("Pipeline.java");
    Files.writeString(
        source,
        """
        package job;

        import io.millrace.core.expr.Columns;
        import io.millrace.core.type.DataType;
        import io.millrace.core.udf.UserFunction;
        import io.millrace.planner.dataframe.Session;
        import java.util.List;

        public class Pipeline {
          public static void main(String[] arguments) throws Exception {
            try (Session session = Session.open()) {
              System.err.println("working");
              if (arguments[0].equals("silent")) {
                Thread.sleep(300_000);
              }
              if (arguments[0].equals("wait")) {
                session.values(List.of("n"), new Object[] {1L}).collect();
                System.err.println("waiting");
                Thread.sleep(300_000);
              }
              long added = Long.parseLong(arguments[0]);
              UserFunction add =
                  UserFunction.<Long, Long>scalar(
                      "add", DataType.INT64, DataType.INT64, value -> value + added);
              System.out.println(
                  session
                      .values(List.of("n"), new Object[] {1L}, new Object[] {2L})
                      .select(add.apply(Columns.col("n")).as("m"))
                      .sort("m")
                      .collect()
                      .stream()
                      .map(row -> row.value(0))
                      .toList());
            }
          }
        }
        """);
    compile(source, jar);
    return jar;
  }

  /** A jar with a function that multiplies. */
  private void functionJar(String jar, String className, int factor) throws IOException {
    Path source = Files.createDirectories(folder.resolve("job")).resolve(className + ".java");
    Files.writeString(
        source,
        """
        package job;

        import io.millrace.core.type.DataType;
        import io.millrace.core.udf.UserFunction;
        import java.util.function.Supplier;

        public class NAME implements Supplier<UserFunction> {
          public UserFunction get() {
            return UserFunction.<Long, Long>scalar(
                "NAME", DataType.INT64, DataType.INT64, value -> value * FACTOR);
          }
        }
        """
            .replace("NAME", className)
            .replace("FACTOR", Integer.toString(factor)));
    compile(source, folder.resolve(jar));
  }

  private void compile(Path source, Path jar) throws IOException {
    Path classes = Files.createDirectories(folder.resolve("classes of " + jar.getFileName()));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                "-proc:none",
                source.toString());
    assertEquals(0, failed, "the source compiles");
    pack(classes, jar);
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      try (var files = Files.walk(classes)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          Files.copy(file, out);
          out.closeEntry();
        }
      }
    }
  }
}
