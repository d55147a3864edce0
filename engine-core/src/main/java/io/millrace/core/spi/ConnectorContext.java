package io.millrace.core.spi;

import io.millrace.core.config.Configuration;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What a connector gets from the process it runs in.
 *
 * @param allocator parent of what it allocates; results may be handed on
 * @param blockingWork runs tasks that may block (virtual threads)
 * @param stores byte access by URI scheme
 */
public record ConnectorContext(
    BufferAllocator allocator,
    Executor blockingWork,
    ObjectStores stores,
    Configuration configuration) {
  public ConnectorContext {
    stores = stores.with(configuration);
  }

  /** The same under another configuration. */
  public ConnectorContext with(Configuration newConfiguration) {
    return newConfiguration.equals(configuration)
        ? this
        : new ConnectorContext(allocator, blockingWork, stores, newConfiguration);
  }
}
