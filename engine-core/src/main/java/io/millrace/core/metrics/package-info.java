/** Counters per operator and query. */
package io.millrace.core.metrics;
