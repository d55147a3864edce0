/** Decoders of Parquet page data; source: the Parquet format specification, Encodings.md. */
package io.millrace.exec.format.parquet.encoding;
