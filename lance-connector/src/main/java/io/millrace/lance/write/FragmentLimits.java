package io.millrace.lance.write;

/**
 * When a task starts another fragment.
 *
 * @param rows rows at which a fragment is closed
 * @param bytes bytes of values (before encoding) at which a fragment is closed
 * @param queueBytes batches that may wait for the native writer
 */
record FragmentLimits(long rows, long bytes, long queueBytes) {}
