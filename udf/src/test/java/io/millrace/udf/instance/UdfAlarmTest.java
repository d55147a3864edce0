package io.millrace.udf.instance;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class UdfAlarmTest {

  @Test
  void aRingAfterTheCallDoesNotMeetTheNextOne() {
    UdfAlarm alarm = new UdfAlarm(Thread.currentThread());
    assertFalse(alarm.end());
    alarm.ring();
    assertFalse(Thread.interrupted());
  }

  @Test
  void aRingDuringTheCallInterruptsItAndNothingElse() {
    UdfAlarm alarm = new UdfAlarm(Thread.currentThread());
    alarm.ring();
    assertTrue(Thread.currentThread().isInterrupted());
    assertTrue(alarm.end());
    assertFalse(Thread.interrupted());
  }
}
