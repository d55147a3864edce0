package io.millrace.cluster.job;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.QueryRunner;
import io.millrace.core.spi.RunnerProvider;
import java.net.URI;

/** Makes runners for {@code workers://N}: N worker processes on this machine, for one session. */
public final class LocalClusterProvider implements RunnerProvider {
  private static final int WORKER_LIMIT = 1_000;

  @Override
  public String scheme() {
    return "workers";
  }

  @Override
  public QueryRunner create(URI address, RunnerContext context) {
    return new CoordinatorRunner(
        LocalClusterConnection.start(
            workerCount(address), context.configuration(), context.memory().allocator()),
        context);
  }

  private static int workerCount(URI address) {
    try {
      int count = Integer.parseInt(address.getSchemeSpecificPart().replace("/", ""));
      if (count >= 1 && count <= WORKER_LIMIT) {
        return count;
      }
    } catch (NumberFormatException noNumber) {
      // Reported below.
    }
    throw new MillraceException(
        ErrorCode.USAGE_ERROR,
        "The number of workers lies in 1.." + WORKER_LIMIT + ": '" + address + "'");
  }
}
