package io.millrace.cluster.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With processes of the system, which start at once. */
@Timeout(60)
final class JobFramesTest {

  private static JobFrames shell(String script) {
    return JobFrames.of(List.of("sh", "-c", script));
  }

  @Test
  void whatAJobPrintsAndItsExitCodeCome() {
    StringBuilder out = new StringBuilder();
    StringBuilder errors = new StringBuilder();
    int exitCode = -1;
    try (JobFrames job = shell("echo one; echo two >&2; exit 7")) {
      for (Optional<byte[]> frame = job.next(); frame.isPresent(); frame = job.next()) {
        switch (JobEvent.decode(frame.get())) {
          case JobEvent.Printed(boolean toErrors, byte[] bytes) ->
              (toErrors ? errors : out).append(new String(bytes, StandardCharsets.UTF_8));
          case JobEvent.Ended(int code) -> exitCode = code;
        }
      }
    }
    assertEquals("one\n", out.toString());
    assertEquals("two\n", errors.toString());
    assertEquals(7, exitCode);
  }

  @Test
  void aSilentJobEndsWhenItsSubmitterLeaves() throws Exception {
    // Ends with its pipe, as a job does.
    JobFrames job = shell("read line; exit 0");
    CompletableFuture<Optional<byte[]>> reader = CompletableFuture.supplyAsync(job::next);
    job.close();
    assertTrue(reader.get(20, TimeUnit.SECONDS).isEmpty());
    job.process().onExit().get(20, TimeUnit.SECONDS);
  }

  @Test
  void aJobThatPrintsWithoutEndIsHeldBackAndEndsWhenItsSubmitterLeaves() throws Exception {
    JobFrames job = shell("while read -t 0 line || true; do echo yes || exit 1; done");
    assertTrue(job.next().isPresent());
    job.close();
    assertTrue(job.next().isEmpty());
    job.process().destroy();
    job.process().onExit().get(20, TimeUnit.SECONDS);
  }
}
