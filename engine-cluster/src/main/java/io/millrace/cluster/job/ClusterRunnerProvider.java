package io.millrace.cluster.job;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.QueryRunner;
import io.millrace.core.spi.RunnerProvider;
import java.net.URI;

/** Makes runners for {@code millrace://HOST:PORT}, a coordinator that runs already. */
public final class ClusterRunnerProvider implements RunnerProvider {
  @Override
  public String scheme() {
    return "millrace";
  }

  @Override
  public QueryRunner create(URI address, RunnerContext context) {
    Endpoint endpoint;
    try {
      endpoint = Endpoint.parse(address.toString());
    } catch (IllegalArgumentException malformed) {
      throw new MillraceException(
          ErrorCode.USAGE_ERROR, "Wrong address: " + malformed.getMessage(), malformed);
    }
    String token = Tokens.read(context.configuration().value(Settings.CLUSTER_TOKEN_FILE));
    return new CoordinatorRunner(
        RemoteConnection.open(context.memory().allocator(), endpoint, token), context);
  }
}
