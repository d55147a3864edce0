/** Rows that operators gather before they work on them. */
package io.millrace.exec.operator.row;
