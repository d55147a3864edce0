/** Hash aggregation. */
package io.millrace.exec.operator.aggregate;
