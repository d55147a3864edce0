package io.millrace.core.spi;

import io.millrace.core.plan.PhysicalExpression;

/** Evaluates expressions without inputs, for constant folding; found by ServiceLoader. */
public interface ConstantEvaluator {

  /**
   * The value, null for NULL; class as {@code FlatVector.valueAt} gives.
   *
   * @throws io.millrace.core.error.MillraceException the error that the query would give; the
   *     planner then leaves the expression as it is, so that rows that never reach it do not fail
   */
  Object evaluate(PhysicalExpression expression);
}
