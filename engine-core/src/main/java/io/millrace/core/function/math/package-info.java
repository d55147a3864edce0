/** Definitions of built-in functions: Arithmetic and mathematics. */
package io.millrace.core.function.math;
