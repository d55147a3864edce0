/** SQL logic tests: files of queries, run on several engines and compared with DuckDB. */
package io.millrace.testkit.slt;
