/**
 * Reading Lance tables: the table on the driver, scans and takes on workers, predicates in Lance's
 * words.
 */
package io.millrace.lance.read;
