package io.millrace.lance.read;

import io.millrace.core.spi.ConnectorContext;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Where native batches are imported. Arrow keeps a small structure (128 bytes) per imported batch
 * in the importing allocator until the last of its buffers is released, wherever these have moved
 * to: a batch may wait for the client when its scan's allocator closes already. So imports belong
 * to the process's allocator, and the buffers are moved to the operator's at once.
 */
final class ImportMemory {
  private ImportMemory() {}

  static BufferAllocator of(ConnectorContext context) {
    return context.allocator().getRoot();
  }
}
