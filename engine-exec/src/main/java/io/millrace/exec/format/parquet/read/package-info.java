/** Reading: footers, schemas, pages, and assembling columns from them. */
package io.millrace.exec.format.parquet.read;
