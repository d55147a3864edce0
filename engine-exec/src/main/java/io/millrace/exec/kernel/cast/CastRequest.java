package io.millrace.exec.kernel.cast;

import io.millrace.core.type.DataType;

/**
 * A conversion to make.
 *
 * @param safe whether a value that does not fit becomes null instead of an error
 */
record CastRequest(DataType from, DataType to, boolean safe) {}
