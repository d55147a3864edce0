package io.millrace.core.spi;

import io.millrace.core.config.Configuration;
import io.millrace.core.memory.RootMemory;
import java.net.URI;

/** Makes runners; found by ServiceLoader. */
public interface RunnerProvider {

  /** {@code local} or {@code millrace}. */
  String scheme();

  /**
   * @param address {@code local:} or {@code millrace://host:port}
   * @throws io.millrace.core.error.MillraceException COORDINATOR_UNREACHABLE …
   */
  QueryRunner create(URI address, RunnerContext context);

  /**
   * What a runner shares with its Session.
   *
   * @param memory the process's budget and root allocator, made by the Session from {@code
   *     memory.bytes}; {@code connectors} allocates from the same root
   */
  record RunnerContext(
      ConnectorContext connectors, RootMemory memory, Configuration configuration) {}
}
