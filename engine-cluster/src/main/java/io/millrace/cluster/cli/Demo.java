package io.millrace.cluster.cli;

import io.millrace.core.config.Configuration;
import java.io.PrintStream;

/**
 * The demonstration behind {@code millrace demo}; found by ServiceLoader with the engine's class
 * loader.
 */
public interface Demo {

  /**
   * Runs the demonstration.
   *
   * @param environment where it prints and how it runs
   * @throws io.millrace.core.error.MillraceException when it fails, also when its runs disagree
   */
  void run(Environment environment);

  /**
   * What the command line gives.
   *
   * @param out results
   * @param progress what is being done
   * @param configuration settings for its sessions
   * @param workerCount worker processes of its second run
   */
  record Environment(
      PrintStream out, PrintStream progress, Configuration configuration, int workerCount) {}
}
