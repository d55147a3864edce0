package io.millrace.cluster.cli;

import io.millrace.cluster.job.Tokens;
import io.millrace.cluster.job.WorkerProcess;
import io.millrace.core.config.ByteSize;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code millrace worker}: runs until its coordinator is gone or it is stopped. */
final class WorkerCommand implements Command {
  private static final String DEFAULT_HOST = "127.0.0.1";

  private final CompletableFuture<Void> stop;

  WorkerCommand(CompletableFuture<Void> stop) {
    this.stop = stop;
  }

  @Override
  public String name() {
    return "worker";
  }

  @Override
  public CommandSpec specification() {
    CommandSpec command = CommandSpec.create();
    command.addOption(
        OptionSpec.builder("--coordinator", "--connect")
            .paramLabel("HOST:PORT")
            .type(String.class)
            .required(true)
            .description("The coordinator to work for.")
            .build());
    command.addOption(EngineOptions.option("--cpus", "N", "Processors to offer; all by default."));
    command.addOption(EngineOptions.option("--gpus", "N", "Accelerators to offer; 0 by default."));
    command.addOption(
        EngineOptions.option("--host", "H", "Address to listen on; 127.0.0.1 by default."));
    command.addOption(EngineOptions.option("--memory", "SIZE", "Memory of this process."));
    command.addOption(EngineOptions.option("--name", "NAME", "Name in the cluster."));
    command.addOption(
        OptionSpec.builder("--child")
            .type(boolean.class)
            .hidden(true)
            .description("Ends when standard input ends.")
            .build());
    EngineOptions.addSettings(command);
    return command;
  }

  @Override
  public int run(ParseResult parsed, Terminal terminal) {
    EngineOptions options = EngineOptions.of(parsed);
    if (parsed.hasMatchedOption("--child")) {
      ParentPipe.watch(terminal.in(), () -> stop.complete(null));
    }
    WorkerProcess.run(
        new WorkerProcess.Options(
            options.text("--name").orElse(""),
            EngineOptions.endpoint(options.text("--coordinator").orElseThrow()),
            options
                .text("--cpus")
                .map(text -> OptionalDouble.of(amount("--cpus", text)))
                .orElse(OptionalDouble.empty()),
            options.text("--gpus").map(text -> amount("--gpus", text)).orElse(0.0),
            memory(options.text("--memory")),
            options.text("--host").orElse(DEFAULT_HOST),
            Tokens.read(options.text("--token-file").orElse(""))),
        options.configuration(),
        endpoint -> terminal.err().println("ready " + endpoint),
        stop);
    return 0;
  }

  private static double amount(String option, String text) {
    try {
      double amount = Double.parseDouble(text);
      if (amount >= 0 && amount <= 1_000_000) {
        return amount;
      }
    } catch (NumberFormatException noNumber) {
      // Reported below.
    }
    throw new UsageException(option + " takes a number from 0, not '" + text + "'");
  }

  private static OptionalLong memory(Optional<String> text) {
    try {
      return text.isPresent() ? OptionalLong.of(ByteSize.parse(text.get())) : OptionalLong.empty();
    } catch (IllegalArgumentException malformed) {
      throw new UsageException("--memory: " + malformed.getMessage(), malformed);
    }
  }
}
