package io.millrace.cluster.cli;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code millrace demo}: the main job on data that comes with the distribution. */
final class DemoCommand implements Command {
  private static final int DEFAULT_WORKERS = 2;

  @Override
  public String name() {
    return "demo";
  }

  @Override
  public CommandSpec specification() {
    CommandSpec command = CommandSpec.create();
    command.addOption(
        EngineOptions.option(
            "--workers", "N", "Worker processes of the second run; 2 by default."));
    command.addOption(EngineOptions.option("--threads", "N", "Threads of each process."));
    command.addOption(EngineOptions.option("--memory", "SIZE", "Memory of each process."));
    EngineOptions.addSettings(command);
    return command;
  }

  @Override
  public int run(ParseResult parsed, Terminal terminal) {
    EngineOptions options = EngineOptions.of(parsed);
    Demo demo =
        ServiceLoader.load(Demo.class, DemoCommand.class.getClassLoader())
            .findFirst()
            .orElseThrow(
                () ->
                    new MillraceException(
                        ErrorCode.MISSING_ARTIFACT,
                        "The demonstration is not on the class path; add io.millrace:examples"));
    PrintStream out = new PrintStream(terminal.out(), false, StandardCharsets.UTF_8);
    demo.run(
        new Demo.Environment(
            out,
            terminal.err(),
            options.configuration(),
            options.workers().orElse(DEFAULT_WORKERS)));
    out.flush();
    return 0;
  }
}
