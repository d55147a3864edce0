/** Kernels of text functions, over UTF-8 bytes. */
package io.millrace.exec.kernel.string;
