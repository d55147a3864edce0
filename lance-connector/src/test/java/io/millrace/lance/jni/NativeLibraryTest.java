package io.millrace.lance.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  @Test
  void onlyOldExtractedLibrariesAreSwept(@TempDir Path folder) throws Exception {
    Path old = file(folder, "liblance_jni123.so", Duration.ofHours(2));
    Path fresh = file(folder, "liblance_jni124.so", Duration.ofSeconds(5));
    Path other = file(folder, "libother123.so", Duration.ofHours(2));
    NativeLibrary.sweep(folder, NativeLibrary.SWEEP_AGE);
    assertFalse(Files.exists(old));
    assertTrue(Files.exists(fresh));
    assertTrue(Files.exists(other));
    NativeLibrary.sweep(folder.resolve("missing"), NativeLibrary.SWEEP_AGE);
  }

  @Test
  void theLibraryOfThisProcessIsNotLeftInTheTemporaryFolder() throws Exception {
    Path maps = Path.of("/proc/self/maps");
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.isReadable(maps), "needs Linux's /proc");
    NativeLibrary.load();
    List<String> mapped =
        Files.readAllLines(maps).stream().filter(line -> line.contains("/liblance_jni")).toList();
    assertFalse(mapped.isEmpty());
    assertEquals(List.of(), mapped.stream().filter(line -> !line.endsWith("(deleted)")).toList());
  }

  private static Path file(Path folder, String name, Duration age) throws Exception {
    Path file = Files.writeString(folder.resolve(name), "x");
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
    return file;
  }
}
