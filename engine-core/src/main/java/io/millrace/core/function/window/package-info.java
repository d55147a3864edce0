/** Definitions of built-in functions: window functions. */
package io.millrace.core.function.window;
