package io.millrace.cluster.cli;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * A pipeline's jar and what comes after {@code --}.
 *
 * @param jar path of the jar
 * @param arguments for the pipeline's main method
 */
record PipelineArguments(Path jar, List<String> arguments) {

  static void addTo(CommandSpec command) {
    command.addPositional(
        PositionalParamSpec.builder()
            .index("0..*")
            .arity("0..*")
            .paramLabel("PIPELINE.jar [-- ARGS]")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description("The pipeline's jar; arguments after -- go to the pipeline.")
            .build());
    command.addOption(
        EngineOptions.option("--class", "MAIN", "Main class; by default the jar names it."));
  }

  /** What was given: the first argument is the jar. */
  static PipelineArguments of(ParseResult parsed) {
    List<String> all = parsed.matchedPositionalValue(0, List.of());
    if (all.isEmpty()) {
      throw new UsageException("Which jar? Give the path of a pipeline's jar");
    }
    return new PipelineArguments(Path.of(all.getFirst()), all.subList(1, all.size()));
  }
}
