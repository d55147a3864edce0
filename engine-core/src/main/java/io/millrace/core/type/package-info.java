/** Data types, schemas and their Arrow mapping. */
package io.millrace.core.type;
