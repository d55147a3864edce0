package io.millrace.planner.dataframe;

import io.millrace.core.metrics.QueryProfile;

/**
 * A write that is committed.
 *
 * @param rows rows written
 * @param profile what the operators of the write did
 */
public record WriteResult(long rows, QueryProfile profile) {}
