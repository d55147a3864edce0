package io.millrace.core.plan;

/** One sort key: a column by position, its direction and the place of nulls. */
public record OrderKey(int column, boolean descending, boolean nullsFirst) {}
