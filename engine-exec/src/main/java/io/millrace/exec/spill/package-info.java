/** Rows on disk while memory is short. */
package io.millrace.exec.spill;
