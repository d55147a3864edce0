/**
 * How results are printed: tables, CSV, JSON lines and Arrow streams. Rows go to one stream and
 * nothing else does.
 */
package io.millrace.cluster.cli.output;
