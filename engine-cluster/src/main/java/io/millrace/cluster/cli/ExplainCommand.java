package io.millrace.cluster.cli;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.ResultStream;
import io.millrace.planner.dataframe.Session;
import io.millrace.planner.dataframe.Statement;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code millrace explain}: shows how a query would run, or how it ran. */
final class ExplainCommand implements Command {
  @Override
  public String name() {
    return "explain";
  }

  @Override
  public CommandSpec specification() {
    CommandSpec command = CommandSpec.create();
    SqlCommand.addQuery(command);
    command.addOption(
        OptionSpec.builder("--analyze")
            .type(boolean.class)
            .description("Runs the query and shows what each operator did.")
            .build());
    command.addOption(
        OptionSpec.builder("-f", "--file")
            .paramLabel("FILE|-")
            .type(String.class)
            .description("Reads the query from a file or from standard input.")
            .build());
    EngineOptions.addTo(command);
    return command;
  }

  @Override
  public int run(ParseResult parsed, Terminal terminal) {
    EngineOptions options = EngineOptions.of(parsed);
    String text =
        QueryText.of(
            parsed.matchedPositionalValue(0, List.of()), options.text("-f"), terminal.in());
    PrintStream out = new PrintStream(terminal.out(), false, StandardCharsets.UTF_8);
    try (Session session = SessionFactory.open(options)) {
      for (Statement statement :
          session.statements(text, QueryText.parameters(options.parameters()))) {
        print(statement, parsed.hasMatchedOption("--analyze"), out);
      }
    }
    out.flush();
    return 0;
  }

  private static void print(Statement statement, boolean analyze, PrintStream out) {
    try (ResultStream lines = statement.explain(analyze).stream()) {
      for (Optional<Batch> next = lines.next(); next.isPresent(); next = lines.next()) {
        try (Batch batch = next.get()) {
          for (int row = 0; row < batch.rowCount(); row++) {
            out.println(batch.valueAt(0, row));
          }
        }
      }
    }
  }
}
