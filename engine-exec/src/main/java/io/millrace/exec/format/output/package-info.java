/** Sinks that write files: where parts lie until the commit, and how they become visible. */
package io.millrace.exec.format.output;
