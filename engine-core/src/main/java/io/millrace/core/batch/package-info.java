/**
 * Batches of columns over reference-counted Arrow buffers. A {@link io.millrace.core.batch.Batch}
 * has one owner; its columns are flat, dictionary-coded or constant, and may be shared by retain.
 */
package io.millrace.core.batch;
