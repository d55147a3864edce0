package io.millrace.cluster.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** One command of the command line. */
interface Command {

  /** Its name, as users write it. */
  String name();

  /** Its options and arguments. */
  CommandSpec specification();

  /**
   * Runs it.
   *
   * @return the exit code; errors with a code of their own are thrown
   */
  int run(ParseResult parsed, Terminal terminal);
}
