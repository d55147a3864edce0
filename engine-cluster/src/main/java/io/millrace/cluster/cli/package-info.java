/** The command line: {@code ./millrace} and its subcommands. */
package io.millrace.cluster.cli;
