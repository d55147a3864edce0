/** Definitions of built-in functions and the contract of their kernels. */
package io.millrace.core.function;
