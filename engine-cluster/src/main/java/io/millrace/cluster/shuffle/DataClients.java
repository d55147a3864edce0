package io.millrace.cluster.shuffle;

import io.millrace.cluster.protocol.Endpoint;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.BufferAllocator;

/** The connections of a process to others, one per address, opened on first use. */
public final class DataClients implements AutoCloseable {
  private final BufferAllocator allocator;
  private final String token;
  private final Map<Endpoint, DataClient> clients = new ConcurrentHashMap<>();

  public DataClients(BufferAllocator allocator, String token) {
    this.allocator = allocator;
    this.token = token;
  }

  /** The connection to an address; owned by this object. */
  public DataClient to(Endpoint endpoint) {
    return clients.computeIfAbsent(endpoint, address -> DataClient.open(allocator, address, token));
  }

  /** Closes the connection to a process that is gone. */
  public void forget(Endpoint endpoint) {
    DataClient client = clients.remove(endpoint);
    if (client != null) {
      client.close();
    }
  }

  @Override
  public void close() {
    List.copyOf(clients.keySet()).forEach(this::forget);
  }
}
