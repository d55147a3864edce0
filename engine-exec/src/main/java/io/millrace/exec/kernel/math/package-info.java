/** Kernels of arithmetic and mathematics. */
package io.millrace.exec.kernel.math;
