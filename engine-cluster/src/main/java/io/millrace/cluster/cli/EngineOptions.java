package io.millrace.cluster.cli;

import io.millrace.cluster.cli.output.OutputFormat;
import io.millrace.cluster.protocol.Endpoint;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.MillraceException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options that commands with queries share, read and checked. */
final class EngineOptions {
  private final ParseResult parsed;

  private EngineOptions(ParseResult parsed) {
    this.parsed = parsed;
  }

  /** Adds the options to a command. */
  static void addTo(CommandSpec command) {
    addOutput(command);
    addProcess(command);
    addMeasuring(command);
  }

  private static void addOutput(CommandSpec command) {
    command.addOption(
        option("--format", "table|csv|json|arrow", "How rows are printed; table by default."));
    command.addOption(option("--output", "FILE", "Where rows go instead of standard output."));
  }

  /** Adds the options that say in which processes queries run and with which settings. */
  static void addProcess(CommandSpec command) {
    command.addOption(
        option("--threads", "N", "Threads of each process; one per core by default."));
    command.addOption(option("--memory", "SIZE", "Memory of each process, such as 512m or 4g."));
    command.addOption(option("--workers", "N", "Runs on N worker processes of this machine."));
    command.addOption(
        OptionSpec.builder("--coordinator", "--connect")
            .paramLabel("HOST:PORT")
            .type(String.class)
            .description("Runs on the cluster of this coordinator.")
            .build());
    command.addOption(option("--progress", "auto|off", "Whether progress is shown."));
    addSettings(command);
  }

  /** Adds the options that every process takes. */
  static void addSettings(CommandSpec command) {
    command.addOption(option("--token-file", "FILE", "File with the cluster's secret."));
    command.addOption(
        OptionSpec.builder("--set")
            .paramLabel("key=value")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description("Changes a setting; may be repeated.")
            .build());
    command.addOption(
        OptionSpec.builder("--debug")
            .type(boolean.class)
            .description("Shows stack traces.")
            .build());
  }

  private static void addMeasuring(CommandSpec command) {
    command.addOption(option("--repeat", "N", "Runs every statement N times; shows the last."));
    command.addOption(option("--timings", "FILE", "Writes the time of each run as JSON lines."));
    command.addOption(option("--profile", "FILE", "Writes what each operator did as JSON lines."));
    command.addOption(
        OptionSpec.builder("--param")
            .paramLabel("name=value")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description("The value of :name, as JSON text or @file; may be repeated.")
            .build());
  }

  static OptionSpec option(String name, String label, String description) {
    return OptionSpec.builder(name)
        .paramLabel(label)
        .type(String.class)
        .description(description)
        .build();
  }

  /** The options of a command that has been parsed. */
  static EngineOptions of(ParseResult parsed) {
    return new EngineOptions(parsed);
  }

  /** The text of an option, if the command has it and it was given. */
  Optional<String> text(String option) {
    return Optional.ofNullable(parsed.matchedOptionValue(option, null));
  }

  private List<String> texts(String option) {
    return parsed.matchedOptionValue(option, List.of());
  }

  OutputFormat format() {
    String name = text("--format").orElse("table");
    for (OutputFormat format : OutputFormat.values()) {
      if (format.name().toLowerCase(Locale.ROOT).equals(name)) {
        return format;
      }
    }
    throw new UsageException("--format is one of table, csv, json, arrow, not '" + name + "'");
  }

  Optional<String> output() {
    return text("--output");
  }

  int repeat() {
    return count("--repeat").orElse(1);
  }

  Optional<Integer> workers() {
    return count("--workers");
  }

  private Optional<Integer> count(String option) {
    return text(option)
        .map(
            text -> {
              try {
                int count = Integer.parseInt(text);
                if (count >= 1) {
                  return count;
                }
              } catch (NumberFormatException noNumber) {
                // Reported below.
              }
              throw new UsageException(option + " takes a number from 1, not '" + text + "'");
            });
  }

  Optional<String> timings() {
    return text("--timings");
  }

  Optional<String> profile() {
    return text("--profile");
  }

  boolean debug() {
    return parsed.hasMatchedOption("--debug");
  }

  /** Whether progress may be shown when somebody looks. */
  boolean progress() {
    String wanted = text("--progress").orElse("auto");
    return switch (wanted) {
      case "auto" -> true;
      case "off" -> false;
      default -> throw new UsageException("--progress is auto or off, not '" + wanted + "'");
    };
  }

  /** Parameters of the statements by name, as they were written. */
  Map<String, String> parameters() {
    return pairs("--param");
  }

  private Map<String, String> pairs(String option) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : texts(option)) {
      int equals = pair.indexOf('=');
      if (equals <= 0) {
        throw new UsageException(option + " has the form name=value, not '" + pair + "'");
      }
      pairs.put(pair.substring(0, equals).strip(), pair.substring(equals + 1));
    }
    return pairs;
  }

  /**
   * Settings from the environment, changed by {@code --set} and by the options with a name of their
   * own.
   *
   * @throws UsageException naming the nearest setting or the range
   */
  Configuration configuration() {
    try {
      Configuration configuration = Configuration.ofEnvironment(System.getenv());
      for (Map.Entry<String, String> setting : pairs("--set").entrySet()) {
        configuration = configuration.with(setting.getKey(), setting.getValue());
      }
      if (text("--threads").isPresent()) {
        configuration = configuration.with(Settings.THREADS.name(), text("--threads").get());
      }
      if (text("--memory").isPresent()) {
        configuration = configuration.with(Settings.MEMORY_BYTES.name(), text("--memory").get());
      }
      if (text("--token-file").isPresent()) {
        configuration =
            configuration.with(Settings.CLUSTER_TOKEN_FILE.name(), text("--token-file").get());
      }
      return configuration;
    } catch (MillraceException wrong) {
      throw new UsageException(wrong.getMessage(), wrong);
    }
  }

  /** The runner's address for a session. */
  String address() {
    Optional<Integer> workers = workers();
    Optional<String> coordinator = text("--coordinator");
    if (workers.isPresent() && coordinator.isPresent()) {
      throw new UsageException("--workers and --coordinator exclude each other; give one of them");
    }
    if (workers.isPresent()) {
      return "workers://" + workers.get();
    }
    return coordinator.map(text -> "millrace://" + endpoint(text)).orElse("local:");
  }

  /** An address as users write it. */
  static Endpoint endpoint(String text) {
    try {
      return Endpoint.parse(text);
    } catch (IllegalArgumentException malformed) {
      throw new UsageException("--coordinator: " + malformed.getMessage(), malformed);
    }
  }
}
