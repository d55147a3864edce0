/** Unresolved expressions: what users write. */
package io.millrace.core.expr;
