/** Parquet files as a source and a sink. */
package io.millrace.exec.format.parquet;
