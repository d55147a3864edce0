/** Definitions of built-in functions: Images. */
package io.millrace.core.function.media;
