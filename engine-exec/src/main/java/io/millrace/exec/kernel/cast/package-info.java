/** Conversions between types. */
package io.millrace.exec.kernel.cast;
