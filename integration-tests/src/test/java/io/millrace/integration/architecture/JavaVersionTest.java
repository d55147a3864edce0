package io.millrace.integration.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The tests run on the JDK that the toolchain selected, not on the one that runs Maven. */
class JavaVersionTest {
  @Test
  void testsRunOnJava25OrNewer() {
    assertTrue(
        Runtime.version().feature() >= 25,
        () -> "tests must run on JDK 25 or newer, not on " + Runtime.version());
  }
}
