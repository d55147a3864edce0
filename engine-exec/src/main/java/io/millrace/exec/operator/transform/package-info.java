/** Operators that work batch by batch: filter, project, limit, user-defined functions, fetch. */
package io.millrace.exec.operator.transform;
