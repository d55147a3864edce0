/** Built-in functions through SQL. */
package io.millrace.integration.function;
