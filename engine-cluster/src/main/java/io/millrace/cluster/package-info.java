/** Coordinator, workers, shuffle, job submission and the command line. */
package io.millrace.cluster;
