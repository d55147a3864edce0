/** Kernels of comparisons and of tests for null and truth. */
package io.millrace.exec.kernel.logic;
