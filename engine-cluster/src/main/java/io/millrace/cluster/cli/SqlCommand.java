package io.millrace.cluster.cli;

import io.millrace.planner.dataframe.Session;
import io.millrace.planner.dataframe.Statement;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code millrace sql}: runs statements and prints their rows. */
final class SqlCommand implements Command {
  @Override
  public String name() {
    return "sql";
  }

  @Override
  public CommandSpec specification() {
    CommandSpec command = CommandSpec.create();
    addQuery(command);
    command.addOption(
        OptionSpec.builder("-f", "--file")
            .paramLabel("FILE|-")
            .type(String.class)
            .description("Reads the statements from a file or from standard input.")
            .build());
    EngineOptions.addTo(command);
    return command;
  }

  static void addQuery(CommandSpec command) {
    command.addPositional(
        PositionalParamSpec.builder()
            .index("0..*")
            .arity("0..*")
            .paramLabel("QUERY")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description("Statements, separated by semicolons.")
            .build());
  }

  @Override
  public int run(ParseResult parsed, Terminal terminal) {
    EngineOptions options = EngineOptions.of(parsed);
    String text =
        QueryText.of(
            parsed.matchedPositionalValue(0, List.of()), options.text("-f"), terminal.in());
    RowOutput.Options output = new RowOutput.Options(options.format(), options.output());
    int repeat = options.repeat();
    boolean progress = options.progress();
    try (Measurements measurements = Measurements.open(options.timings(), options.profile());
        Session session = SessionFactory.open(options)) {
      List<Statement> statements =
          session.statements(text, QueryText.parameters(options.parameters()));
      try (RowOutput rows = RowOutput.open(output, terminal.out(), session.allocator())) {
        StatementRunner runner = new StatementRunner(rows, terminal.err(), progress, measurements);
        for (int index = 0; index < statements.size(); index++) {
          runner.run(statements.get(index), index + 1, repeat);
        }
        rows.complete();
      }
    } catch (IOException failure) {
      throw new ClosedPipeException(failure);
    }
    return 0;
  }
}
