package io.millrace.planner.dataframe;

import io.millrace.core.metrics.QueryProfile;

/** A write that is committed. */
record WriteResult(long rows, QueryProfile profile) {}
