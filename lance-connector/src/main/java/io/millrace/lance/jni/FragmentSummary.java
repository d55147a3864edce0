package io.millrace.lance.jni;

/**
 * One fragment of a dataset version, as the manifest knows it.
 *
 * @param id its number in the dataset
 * @param rowCount live rows, deleted ones not counted
 * @param bytes size of its data files; 0 when the manifest does not say
 */
public record FragmentSummary(int id, long rowCount, long bytes) {}
