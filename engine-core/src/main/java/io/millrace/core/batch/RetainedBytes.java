package io.millrace.core.batch;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.ReferenceManager;

/** Sums whole allocations, each once, however many buffers are slices of it. */
final class RetainedBytes {
  private final Set<ReferenceManager> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private long bytes;

  void add(ArrowBuf buffer) {
    if (buffer != null && seen.add(buffer.getReferenceManager())) {
      bytes += buffer.getReferenceManager().getSize();
    }
  }

  long bytes() {
    return bytes;
  }
}
