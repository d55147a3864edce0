package io.millrace.core.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.OutOfMemoryException;
import org.junit.jupiter.api.Test;

class RootMemoryTest {
  @Test
  void scopesAreNamedByTheirPath() {
    try (RootMemory memory = new RootMemory(1 << 20);
        MemoryScope query = memory.openQuery("query 1");
        MemoryScope task = query.open("task 0.1");
        MemoryScope operator = task.open("sort");
        Reservation reservation = operator.openReservation(RevocableOwner.NONE);
        ArrowBuf buffer = operator.allocator().buffer(100)) {
      assertEquals("query 1/task 0.1/sort", operator.allocator().getName());
      assertEquals("query 1/task 0.1/sort", reservation.owner());
      assertTrue(memory.allocator().getAllocatedMemory() >= buffer.capacity());
    }
  }

  @Test
  void closeNamesALeak() {
    RootMemory memory = new RootMemory(1 << 20);
    MemoryScope query = memory.openQuery("query 1");
    query.allocator().buffer(64);
    MillraceException failure = assertThrows(MillraceException.class, query::close);
    assertEquals(ErrorCode.OWNERSHIP_VIOLATION, failure.code());
    assertTrue(failure.getMessage().contains("query 1"), failure.getMessage());
    query.close();
    assertThrows(MillraceException.class, memory::close);
    memory.close();
  }

  @Test
  void allocationFarOverTheBudgetFails() {
    try (RootMemory memory = new RootMemory(1 << 20)) {
      assertThrows(
          OutOfMemoryException.class,
          () -> memory.allocator().buffer(RootMemory.OVERSHOOT_BYTES + (2 << 20)));
    }
  }
}
