package io.millrace.lance.read;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class PatienceTest {

  @Test
  void endsWhenNothingIsFreedForTheWholeTime() {
    Patience patience = new Patience(100, 5, 1_000);
    assertFalse(patience.isOver(5, 1_050));
    assertFalse(patience.isOver(4, 1_099));
    assertTrue(patience.isOver(4, 1_100));
  }

  @Test
  void aSlowReaderThatFreesNowAndThenIsWaitedFor() {
    Patience patience = new Patience(100, 5, 0);
    for (int round = 1; round < 50; round++) {
      // Something is freed, and taken again by others.
      assertFalse(patience.isOver(6, round * 90L));
      assertFalse(patience.isOver(5, round * 90L + 45));
    }
    assertTrue(patience.isOver(5, 50 * 90L + 100));
  }
}
