package io.millrace.cluster.job;

import io.millrace.cluster.protocol.QuerySetup;
import io.millrace.cluster.protocol.QuerySubmission;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PlanCodec;
import io.millrace.core.spi.QueryRequest;
import io.millrace.core.spi.QueryRunner;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.RunnerProvider;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.BufferAllocator;

/** Runs queries on a cluster, whose coordinator lives in this process or in another. */
final class CoordinatorRunner implements QueryRunner {

  /** The coordinator as this process reaches it. */
  interface Connection extends AutoCloseable {
    /** Starts a query and gives its frames; blocks. */
    FrameSource run(QuerySubmission submission);

    /** Makes a jar known and gives its hash; blocks. */
    String offerJar(Path jar);

    /** Tasks that run side by side now. */
    int slotCount();

    /** Whether the workers run on this machine. */
    boolean isLocal();

    @Override
    void close();
  }

  private final Connection connection;
  private final BufferAllocator allocator;
  private final Set<ResultStream> open = ConcurrentHashMap.newKeySet();

  /** A runner that owns the connection. */
  CoordinatorRunner(Connection connection, RunnerProvider.RunnerContext context) {
    this.connection = connection;
    this.allocator = context.memory().allocator();
  }

  @Override
  public ResultStream run(QueryRequest request) {
    QuerySubmission submission =
        new QuerySubmission(
            request.queryId(),
            new QuerySetup(request.configuration().texts(), offeredJars(request.classLoader())),
            PlanCodec.encode(request.plan()));
    FrameSource frames = connection.run(submission);
    FrameResultStream stream =
        new FrameResultStream(request.plan().outputSchema(), frames, allocator, open::remove);
    open.add(stream);
    return stream;
  }

  /** The jars behind a class loader, as far as the engine's own loader does not have them. */
  private List<String> offeredJars(ClassLoader loader) {
    Set<Path> jars = new LinkedHashSet<>();
    for (ClassLoader current = loader; current != null; current = current.getParent()) {
      if (current.equals(CoordinatorRunner.class.getClassLoader())) {
        break;
      }
      if (current instanceof URLClassLoader urls) {
        for (URL url : urls.getURLs()) {
          jars.add(jar(url));
        }
      }
    }
    List<String> hashes = new ArrayList<>();
    jars.forEach(jar -> hashes.add(connection.offerJar(jar)));
    return hashes;
  }

  private static Path jar(URL url) {
    try {
      Path path = Path.of(url.toURI());
      if (Files.isRegularFile(path)) {
        return path;
      }
    } catch (URISyntaxException | IllegalArgumentException notAFile) {
      // Reported below.
    }
    throw new MillraceException(
        ErrorCode.UDF_NOT_LOADABLE,
        "Only jar files can be sent to workers; pack the classes into a jar: " + url);
  }

  @Override
  public int parallelism() {
    return Math.max(1, connection.slotCount());
  }

  @Override
  public boolean sharesFiles() {
    return connection.isLocal();
  }

  @Override
  public void close() {
    List.copyOf(open).forEach(ResultStream::close);
    connection.close();
  }
}
