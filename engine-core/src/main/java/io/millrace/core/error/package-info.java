/** Errors as data, with codes and categories. */
package io.millrace.core.error;
