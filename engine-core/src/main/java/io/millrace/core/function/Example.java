package io.millrace.core.function;

/** A documented call and its result in SQL's text form; runs as a test. */
public record Example(String sql, String result) {}
