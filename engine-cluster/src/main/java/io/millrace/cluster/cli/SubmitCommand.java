package io.millrace.cluster.cli;

import io.millrace.cluster.job.JobSubmission;
import io.millrace.cluster.job.Tokens;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code millrace submit}: a pipeline's jar on the machine of a cluster's coordinator. */
final class SubmitCommand implements Command {
  @Override
  public String name() {
    return "submit";
  }

  @Override
  public CommandSpec specification() {
    CommandSpec command = CommandSpec.create();
    PipelineArguments.addTo(command);
    command.addOption(
        OptionSpec.builder("--coordinator", "--connect")
            .paramLabel("HOST:PORT")
            .type(String.class)
            .required(true)
            .description("The coordinator to run on.")
            .build());
    EngineOptions.addSettings(command);
    return command;
  }

  @Override
  public int run(ParseResult parsed, Terminal terminal) {
    EngineOptions options = EngineOptions.of(parsed);
    PipelineArguments pipeline = PipelineArguments.of(parsed);
    return JobSubmission.run(
        pipeline.jar(),
        options.text("--class"),
        pipeline.arguments(),
        EngineOptions.endpoint(options.text("--coordinator").orElseThrow()),
        Tokens.read(options.text("--token-file").orElse("")),
        options.configuration(),
        terminal.out(),
        terminal.err());
  }
}
