/** Definitions of built-in functions: Dates and times. */
package io.millrace.core.function.temporal;
