package io.millrace.cluster.cli;

import io.millrace.cluster.job.CoordinatorProcess;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code millrace coordinator}: runs until it is stopped. */
final class CoordinatorCommand implements Command {
  private static final String DEFAULT_HOST = "127.0.0.1";
  private static final String DEFAULT_PORT = "7070";

  private final CompletableFuture<Void> stop;

  CoordinatorCommand(CompletableFuture<Void> stop) {
    this.stop = stop;
  }

  @Override
  public String name() {
    return "coordinator";
  }

  @Override
  public CommandSpec specification() {
    CommandSpec command = CommandSpec.create();
    command.addOption(
        EngineOptions.option("--host", "H", "Address to listen on; 127.0.0.1 by default."));
    command.addOption(
        EngineOptions.option("--port", "P", "Port to listen on; 7070 by default, 0 for any."));
    EngineOptions.addSettings(command);
    return command;
  }

  @Override
  public int run(ParseResult parsed, Terminal terminal) {
    EngineOptions options = EngineOptions.of(parsed);
    CoordinatorProcess.run(
        options.text("--host").orElse(DEFAULT_HOST),
        port(options.text("--port").orElse(DEFAULT_PORT)),
        options.text("--token-file").orElse(""),
        options.configuration(),
        endpoint -> terminal.err().println("ready " + endpoint),
        stop);
    return 0;
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException noNumber) {
      // Reported below.
    }
    throw new UsageException("--port takes a number in 0..65535, not '" + text + "'");
  }
}
