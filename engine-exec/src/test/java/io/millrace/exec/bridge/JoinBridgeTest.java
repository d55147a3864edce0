package io.millrace.exec.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.config.Configuration;
import io.millrace.core.memory.RootMemory;
import io.millrace.exec.pipeline.TaskContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What happens to a join's table. */
class JoinBridgeTest {

  @Test
  void closingTwiceClosesTheTableOnce() {
    try (RootMemory memory = new RootMemory(1 << 20)) {
      TaskContext task =
          new TaskContext(0, memory.openQuery("query"), Configuration.DEFAULTS, Runnable::run);
      AtomicInteger closed = new AtomicInteger();
      JoinBridge<AutoCloseable> bridge = JoinBridge.open(task, "join", 1, 1);
      bridge.publish(closed::incrementAndGet);
      bridge.close();
      bridge.close();
      assertEquals(1, closed.get());
      task.started();
      task.completion().join();
      assertEquals(1, closed.get());
    }
  }
}
