/** Delimited text (RFC 4180) as a source and a sink. */
package io.millrace.exec.format.csv;
