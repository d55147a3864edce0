package io.millrace.cluster.actor;

import io.millrace.cluster.schedule.StageDefinition;
import java.util.List;

/**
 * A query to run.
 *
 * @param query its id, unique in the cluster
 * @param stages its stages, inputs first, the result last
 * @param listener told what happens
 */
public record QueryRequest(String query, List<StageDefinition> stages, QueryListener listener) {}
