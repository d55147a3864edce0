/** Joins by a hash table that build drivers fill and probe drivers read. */
package io.millrace.exec.operator.join;
