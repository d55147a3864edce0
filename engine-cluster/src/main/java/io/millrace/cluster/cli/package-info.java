/**
 * The command line: one class a command, the options they share, and how results and errors are
 * shown. Commands load what they need when they run, so that a small query starts quickly.
 */
package io.millrace.cluster.cli;
