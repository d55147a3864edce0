/** Physical expressions made ready to run over batches. */
package io.millrace.exec.expression;
