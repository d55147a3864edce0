/** Definitions of built-in functions: Lists. */
package io.millrace.core.function.list;
