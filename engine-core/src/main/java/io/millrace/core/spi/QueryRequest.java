package io.millrace.core.spi;

import io.millrace.core.config.Configuration;
import io.millrace.core.plan.PhysicalPlan;

/**
 * A query to run.
 *
 * @param queryId unique
 * @param plan its last node's rows go to the client, in order when it is sorted
 * @param classLoader the loader that has the user's classes, in this process
 */
public record QueryRequest(
    String queryId, PhysicalPlan plan, Configuration configuration, ClassLoader classLoader) {}
