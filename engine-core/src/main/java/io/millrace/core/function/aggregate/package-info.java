/** Definitions of built-in functions: Aggregate functions. */
package io.millrace.core.function.aggregate;
