/** Kernels of aggregate functions; their state lies in off-heap arrays by group. */
package io.millrace.exec.kernel.aggregate;
