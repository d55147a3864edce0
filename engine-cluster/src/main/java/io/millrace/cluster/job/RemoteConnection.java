package io.millrace.cluster.job;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.QuerySubmission;
import io.millrace.cluster.protocol.StreamTicket;
import io.millrace.cluster.shuffle.DataClient;
import io.millrace.cluster.shuffle.FrameSource;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;

/** A coordinator in another process. Loads no Akka: clients speak Flight only. */
final class RemoteConnection implements CoordinatorRunner.Connection {
  private final Endpoint endpoint;
  private final DataClient client;
  private final CoordinatorClient coordinator;

  private RemoteConnection(Endpoint endpoint, DataClient client) {
    this.endpoint = endpoint;
    this.client = client;
    this.coordinator = new CoordinatorClient(client);
  }

  /**
   * Connects.
   *
   * @throws io.millrace.core.error.MillraceException COORDINATOR_UNREACHABLE, AUTHENTICATION_FAILED
   */
  static RemoteConnection open(BufferAllocator allocator, Endpoint endpoint, String token) {
    RemoteConnection connection =
        new RemoteConnection(endpoint, DataClient.open(allocator, endpoint, token));
    try {
      connection.slotCount();
      return connection;
    } catch (RuntimeException failure) {
      connection.close();
      throw failure;
    }
  }

  @Override
  public FrameSource run(QuerySubmission submission) {
    return client.stream(new StreamTicket.RunQuery(submission).encode());
  }

  @Override
  public String offerJar(Path jar) {
    return coordinator.offerJar(jar);
  }

  /** A coordinator that is reached over the loopback takes workers of this machine only. */
  @Override
  public boolean isLocal() {
    return LoopbackRule.isLoopback(endpoint.host());
  }

  @Override
  public int slotCount() {
    return coordinator.slotCount();
  }

  @Override
  public void close() {
    client.close();
  }
}
