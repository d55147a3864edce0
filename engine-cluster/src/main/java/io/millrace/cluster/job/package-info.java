/**
 * Queries and jobs on a cluster: the coordinator that cuts plans into stages and hands out tasks,
 * the worker that runs them, the runners through which a session uses a cluster, worker processes
 * that live for one command, and submitted jars.
 */
package io.millrace.cluster.job;
