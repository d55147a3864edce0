package io.millrace.planner.dataframe;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Connectors;
import io.millrace.core.spi.ConstantEvaluator;
import io.millrace.core.spi.ObjectStores;
import io.millrace.core.spi.QueryRunner;
import io.millrace.core.spi.RunnerProvider;
import io.millrace.core.spi.UdfInvoker;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Finds what a Session needs with the engine's class loader. */
final class ServiceDiscovery {
  private ServiceDiscovery() {}

  /**
   * @throws MillraceException MISSING_ARTIFACT naming what to add, COORDINATOR_UNREACHABLE …
   */
  static SessionServices discover(
      URI address, Configuration configuration, Optional<String> jarHash) {
    List<AutoCloseable> owned = new ArrayList<>();
    try {
      RootMemory memory = new RootMemory(memoryBytes(configuration));
      owned.add(memory);
      ExecutorService blockingWork = Executors.newVirtualThreadPerTaskExecutor();
      owned.add(blockingWork);
      ConnectorContext context =
          new ConnectorContext(memory.allocator(), blockingWork, stores(), configuration);
      QueryRunner runner =
          provider(address)
              .create(address, new RunnerProvider.RunnerContext(context, memory, configuration));
      owned.add(runner);
      return new SessionServices(
          configuration,
          FunctionRegistry.builtIn(),
          Connectors.discovered(),
          context,
          runner,
          first(ConstantEvaluator.class),
          first(UdfInvoker.class),
          jarHash,
          owned);
    } catch (RuntimeException failure) {
      Session.closeAll(owned, failure);
      throw failure;
    }
  }

  /** Half of the machine's memory unless it is set. */
  private static long memoryBytes(Configuration configuration) {
    long set = configuration.value(Settings.MEMORY_BYTES);
    return set > 0 ? set : MachineMemory.bytes() / 2;
  }

  private static RunnerProvider provider(URI address) {
    return all(RunnerProvider.class).stream()
        .filter(provider -> provider.scheme().equalsIgnoreCase(address.getScheme()))
        .findFirst()
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.MISSING_ARTIFACT,
                    "No runner for this address on the class path; add "
                        + ("local".equals(address.getScheme())
                            ? "io.millrace:engine-exec"
                            : "io.millrace:engine-cluster and write millrace://host:port")
                        + ": "
                        + address));
  }

  private static ObjectStores stores() {
    return first(ObjectStores.class)
        .orElse(
            uri -> {
              throw new MillraceException(
                  ErrorCode.MISSING_ARTIFACT,
                  "No object store on the class path; add io.millrace:engine-exec: " + uri);
            });
  }

  private static <T> Optional<T> first(Class<T> service) {
    return ServiceLoader.load(service, Session.class.getClassLoader()).findFirst();
  }

  private static <T> List<T> all(Class<T> service) {
    List<T> found = new ArrayList<>();
    ServiceLoader.load(service, Session.class.getClassLoader()).forEach(found::add);
    return found;
  }
}
