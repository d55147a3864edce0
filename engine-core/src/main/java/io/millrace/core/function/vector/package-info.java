/** Definitions of built-in functions: Distances of vectors. */
package io.millrace.core.function.vector;
