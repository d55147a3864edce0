package io.millrace.exec.local;

import io.millrace.core.spi.Connectors;
import io.millrace.core.spi.QueryRunner;
import io.millrace.core.spi.RunnerProvider;
import io.millrace.exec.build.ExecutionEnvironment;
import java.net.URI;

/** Makes runners for {@code local:}. */
public final class LocalRunnerProvider implements RunnerProvider {
  @Override
  public String scheme() {
    return "local";
  }

  @Override
  public QueryRunner create(URI address, RunnerContext context) {
    int threads = ExecutionEnvironment.threadCount(context.configuration());
    return new LocalRunner(
        ExecutionEnvironment.open(
            context.memory(),
            context.connectors(),
            Connectors.discovered(),
            new ExecutionEnvironment.UdfSlots(null, "local", threads, 0),
            context.configuration()));
  }
}
