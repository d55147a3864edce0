package io.millrace.cluster.cli;

import io.millrace.cluster.job.EngineVersion;
import io.millrace.core.error.NearestNames;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The entry of {@code ./millrace}. */
public final class Main {
  /** Commands by name; made only when they are asked for. */
  private final Map<String, Supplier<Command>> commands = new LinkedHashMap<>();

  private Main(CompletableFuture<Void> stop) {
    commands.put("demo", DemoCommand::new);
    commands.put("sql", SqlCommand::new);
    commands.put("explain", ExplainCommand::new);
    commands.put("run", () -> new RunCommand());
    commands.put("coordinator", () -> new CoordinatorCommand(stop));
    commands.put("worker", () -> new WorkerCommand(stop));
    commands.put("submit", SubmitCommand::new);
  }

  /** Runs the command that the arguments name and ends the process with its exit code. */
  public static void main(String[] arguments) {
    StopSignal stop = StopSignal.install();
    int exitCode;
    try {
      exitCode = run(List.of(arguments), Terminal.ofProcess(), stop.requested());
    } finally {
      stop.commandEnded();
    }
    if (!stop.processEnds()) {
      System.exit(exitCode);
    }
  }

  /** Runs a command as a process would, but returns its exit code. */
  static int run(List<String> arguments, Terminal terminal, CompletableFuture<Void> stop) {
    return new Main(stop).run(arguments, terminal);
  }

  private int run(List<String> arguments, Terminal terminal) {
    boolean debug = arguments.contains("--debug");
    try {
      int exitCode = dispatch(arguments, terminal);
      terminal.out().flush();
      return exitCode;
    } catch (ClosedPipeException readerLeft) {
      return 0;
    } catch (Exception | Error failure) {
      flushQuietly(terminal);
      return ErrorReport.print(failure, debug, terminal.err());
    }
  }

  private static void flushQuietly(Terminal terminal) {
    try {
      terminal.out().flush();
    } catch (java.io.IOException | ClosedPipeException nobodyReads) {
      // The error is still worth printing.
    }
  }

  private int dispatch(List<String> arguments, Terminal terminal) {
    if (arguments.isEmpty() || arguments.getFirst().equals("--help")) {
      printOverview(arguments.isEmpty() ? terminal.err() : new PrintStream(terminal.out(), true));
      return arguments.isEmpty() ? ErrorReport.USAGE_EXIT_CODE : 0;
    }
    String name = arguments.getFirst();
    if (name.equals("--version")) {
      new PrintStream(terminal.out(), true).println("millrace " + EngineVersion.current());
      return 0;
    }
    Supplier<Command> command = commands.get(name);
    if (command == null) {
      throw new UsageException(
          "No such command: '" + name + "'" + NearestNames.hint(name, commands.keySet()));
    }
    return run(command.get(), arguments.subList(1, arguments.size()), terminal);
  }

  private static int run(Command command, List<String> arguments, Terminal terminal) {
    CommandSpec specification = command.specification();
    specification.name("millrace " + command.name());
    specification.addOption(
        CommandLine.Model.OptionSpec.builder("-h", "--help")
            .type(boolean.class)
            .usageHelp(true)
            .description("Shows this help.")
            .build());
    CommandLine line = new CommandLine(specification);
    CommandLine.ParseResult parsed;
    try {
      parsed = line.parseArgs(arguments.toArray(String[]::new));
    } catch (CommandLine.ParameterException wrong) {
      throw new UsageException(explained(wrong, specification), wrong);
    }
    if (parsed.isUsageHelpRequested()) {
      line.usage(new PrintStream(terminal.out(), true), CommandLine.Help.Ansi.OFF);
      return 0;
    }
    return command.run(parsed, terminal);
  }

  /** The parser's message, with the nearest option when one is unknown. */
  private static String explained(CommandLine.ParameterException wrong, CommandSpec specification) {
    if (wrong instanceof CommandLine.UnmatchedArgumentException unmatched
        && unmatched.getUnmatched().getFirst().startsWith("-")) {
      String given = unmatched.getUnmatched().getFirst();
      String option = given.contains("=") ? given.substring(0, given.indexOf('=')) : given;
      List<String> known = new ArrayList<>();
      specification.options().forEach(spec -> known.addAll(Arrays.asList(spec.names())));
      return "Unknown option '" + option + "'" + NearestNames.hint(option, known);
    }
    return wrong.getMessage();
  }

  private void printOverview(PrintStream out) {
    out.println("usage: millrace COMMAND [options], with one of these commands:");
    out.println("  demo           the main job on bundled data, in one process and on two workers");
    out.println("  sql            runs statements: millrace sql \"SELECT 1\"");
    out.println("  explain        shows how a query would run");
    out.println("  run            runs a pipeline's jar");
    out.println("  coordinator    starts a cluster's coordinator");
    out.println("  worker         starts a worker of a cluster");
    out.println("  submit         runs a pipeline's jar on a cluster's coordinator");
    out.println("millrace COMMAND --help shows the options of a command");
    out.flush();
  }
}
