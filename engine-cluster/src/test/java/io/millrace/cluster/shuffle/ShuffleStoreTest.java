package io.millrace.cluster.shuffle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.TaskId;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.MemoryPool;
import io.millrace.core.memory.Reservation;
import io.millrace.core.memory.RevocableOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShuffleStoreTest {
  private static final AttemptId ATTEMPT = new AttemptId(new TaskId("q/1", 0, 1), 2);

  @TempDir Path folder;

  private final MemoryPool pool = new MemoryPool(1 << 20);

  private ShuffleStore store(long perOutputBytes, long allBytes) {
    return new ShuffleStore(folder.resolve("s"), perOutputBytes, allBytes, pool);
  }

  @AfterEach
  void nothingStaysReserved() {
    assertEquals(0, pool.reservedBytes());
  }

  @Test
  void outputsInMemoryAreReservedAndGoToFilesWhenOthersNeedTheMemory() throws Exception {
    try (ShuffleStore store = store(1_000, 10_000);
        Reservation other = pool.openReservation("other", RevocableOwner.NONE)) {
      write(store, ATTEMPT, 10);
      assertEquals(100, pool.reservedBytes());
      other.reserve((1 << 20) - 50).get(20, TimeUnit.SECONDS);
      try (Stream<Path> files = Files.list(folder.resolve("s"))) {
        assertEquals(1, files.count());
      }
      assertEquals(List.of(0, 2, 4, 6, 8), read(store.open(ATTEMPT, 0)));
    }
  }

  @Test
  void anOutputGoesToAFileWhenNothingIsLeftToReserve() throws Exception {
    try (ShuffleStore store = store(1_000, 10_000);
        Reservation other = pool.openReservation("other", RevocableOwner.NONE)) {
      assertTrue(other.tryReserve((1 << 20) - 25));
      write(store, ATTEMPT, 10);
      assertTrue(Files.exists(folder.resolve("s")));
      assertEquals(List.of(1, 3, 5, 7, 9), read(store.open(ATTEMPT, 1)));
    }
  }

  @Test
  void keepsASmallOutputInMemory() throws IOException {
    try (ShuffleStore store = store(1_000, 10_000)) {
      List<Long> sizes = write(store, ATTEMPT, 10);
      assertEquals(List.of(50L, 50L), sizes);
      assertFalse(Files.exists(folder.resolve("s")));
      assertEquals(List.of(0, 2, 4, 6, 8), read(store.open(ATTEMPT, 0)));
      assertEquals(List.of(1, 3, 5, 7, 9), read(store.open(ATTEMPT, 1)));
    }
  }

  @Test
  void writesALargeOutputToOneFileAndKeepsTheOrderOfEachPartition() throws IOException {
    try (ShuffleStore store = store(55, 10_000)) {
      write(store, ATTEMPT, 41);
      try (Stream<Path> files = Files.list(folder.resolve("s"))) {
        assertEquals(1, files.count());
      }
      List<Integer> even = read(store.open(ATTEMPT, 0));
      assertEquals(21, even.size());
      assertEquals(40, even.getLast());
      assertEquals(20, read(store.open(ATTEMPT, 1)).size());
      store.drop(ATTEMPT);
      try (Stream<Path> files = Files.list(folder.resolve("s"))) {
        assertEquals(0, files.count());
      }
    }
    assertFalse(Files.exists(folder.resolve("s")));
  }

  @Test
  void whatIsNotPublishedCannotBeReadAndLeavesNothing() {
    try (ShuffleStore store = store(0, 0)) {
      try (ShuffleStore.Writer writer = store.writer(ATTEMPT, 2)) {
        writer.append(0, new byte[10]);
        MillraceException lost =
            assertThrows(MillraceException.class, () -> store.open(ATTEMPT, 0));
        assertEquals(ErrorCode.SHUFFLE_LOST, lost.code());
      }
      assertEquals(0, store.outputCount());
    }
    assertFalse(Files.exists(folder.resolve("s")));
  }

  @Test
  void aReaderOfADroppedOutputFailsClearly() {
    try (ShuffleStore store = store(0, 0)) {
      write(store, ATTEMPT, 4);
      FrameSource frames = store.open(ATTEMPT, 0);
      assertTrue(frames.next().isPresent());
      store.dropQuery("q/1");
      MillraceException lost = assertThrows(MillraceException.class, frames::next);
      assertEquals(ErrorCode.SHUFFLE_LOST, lost.code());
    }
  }

  static List<Long> write(ShuffleStore store, AttemptId attempt, int frames) {
    try (ShuffleStore.Writer writer = store.writer(attempt, 2)) {
      for (int frame = 0; frame < frames; frame++) {
        byte[] bytes = new byte[10];
        bytes[0] = (byte) frame;
        writer.append(frame % 2, bytes);
      }
      return writer.publish();
    }
  }

  static List<Integer> read(FrameSource frames) {
    List<Integer> read = new ArrayList<>();
    Optional<byte[]> frame = frames.next();
    while (frame.isPresent()) {
      read.add((int) frame.get()[0]);
      frame = frames.next();
    }
    frames.close();
    return read;
  }
}
