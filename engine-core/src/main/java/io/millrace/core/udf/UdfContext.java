package io.millrace.core.udf;

/**
 * Where an instance runs.
 *
 * @param functionName the function's name
 * @param queryId the query it was made for
 * @param instance number of this instance on its worker, from 0
 * @param worker name of the worker; {@code local} in one process
 */
public record UdfContext(String functionName, String queryId, int instance, String worker) {}
