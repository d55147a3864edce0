/** Kernels of distances between vectors. */
package io.millrace.exec.kernel.vector;
