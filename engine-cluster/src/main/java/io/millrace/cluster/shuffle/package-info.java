/**
 * Bulk data between processes over Arrow Flight, on threads of its own: the outputs of tasks, the
 * rows of results, plans, jars. An output is kept by the worker that wrote it, in memory when small
 * and in one file otherwise, and read partition by partition as a stream of frames with back
 * pressure. A frame is a batch in encoded form with its checksum.
 */
package io.millrace.cluster.shuffle;
