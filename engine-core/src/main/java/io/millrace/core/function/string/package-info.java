/** Definitions of built-in functions: Text functions. */
package io.millrace.core.function.string;
