package io.millrace.core.batch;

/** A calendar interval; the parts are independent and may differ in sign. */
public record IntervalValue(int months, int days, long nanoseconds) {}
