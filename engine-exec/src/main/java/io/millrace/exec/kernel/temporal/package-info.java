/** Kernels of dates, times and intervals. */
package io.millrace.exec.kernel.temporal;
