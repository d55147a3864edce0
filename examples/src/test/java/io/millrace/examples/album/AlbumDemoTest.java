package io.millrace.examples.album;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cluster.cli.Demo;
import io.millrace.core.config.Configuration;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The whole demonstration: in this process, then on two worker processes. */
class AlbumDemoTest {
  private static final int WORKER_COUNT = 2;

  @Test
  void bothRunsAgreeAndFetchOnlyWhatSurvives() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    new AlbumDemo(Path.of("data/photo-album"))
        .run(
            new Demo.Environment(
                new PrintStream(printed, true, StandardCharsets.UTF_8),
                new PrintStream(progress, true, StandardCharsets.UTF_8),
                Configuration.DEFAULTS,
                WORKER_COUNT));

    String text = printed.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("13 of 13 labels with a known answer are right"), text);
    assertTrue(text.contains("On 2 worker processes:"), text);
    assertTrue(text.contains("both runs agree: 14 predictions"), text);
    assertEquals(2, text.split("\\(14 of 35 photos\\)", -1).length - 1, text);
  }

  @Test
  void theCommandLineFindsIt() {
    assertTrue(
        StreamSupport.stream(ServiceLoader.load(Demo.class).spliterator(), false)
            .anyMatch(AlbumDemo.class::isInstance));
  }
}
