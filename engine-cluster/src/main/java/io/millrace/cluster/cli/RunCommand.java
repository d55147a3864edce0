package io.millrace.cluster.cli;

import io.millrace.cluster.job.JobRun;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code millrace run}: a pipeline's jar in this process, its queries here or on a cluster. */
final class RunCommand implements Command {
  private static final int CANCELLED_EXIT_CODE = 130;

  @Override
  public String name() {
    return "run";
  }

  @Override
  public CommandSpec specification() {
    CommandSpec command = CommandSpec.create();
    PipelineArguments.addTo(command);
    command.addOption(
        OptionSpec.builder("--child")
            .type(boolean.class)
            .hidden(true)
            .description("Ends when standard input ends.")
            .build());
    EngineOptions.addProcess(command);
    return command;
  }

  @Override
  public int run(ParseResult parsed, Terminal terminal) {
    EngineOptions options = EngineOptions.of(parsed);
    if (parsed.hasMatchedOption("--child")) {
      ParentPipe.watch(terminal.in(), () -> Runtime.getRuntime().exit(CANCELLED_EXIT_CODE));
    }
    options.progress();
    PipelineArguments pipeline = PipelineArguments.of(parsed);
    JobRun.run(
        pipeline.jar(),
        options.text("--class"),
        pipeline.arguments(),
        options.address(),
        options.configuration());
    return 0;
  }
}
