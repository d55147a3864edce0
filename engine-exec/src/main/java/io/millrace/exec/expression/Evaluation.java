package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * One run of an expression tree over one batch.
 *
 * @param columns the batch's columns; borrowed
 * @param rowCount physical rows
 * @param allocator for results
 */
record Evaluation(List<ColumnVector> columns, int rowCount, BufferAllocator allocator) {}
