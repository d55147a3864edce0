/** Kernels of list functions. */
package io.millrace.exec.kernel.list;
