/** Definitions of built-in functions: Comparisons, truth and null. */
package io.millrace.core.function.logic;
