/** Writing: columns cut into leaves with levels, dictionaries, pages, row groups and footers. */
package io.millrace.exec.format.parquet.write;
